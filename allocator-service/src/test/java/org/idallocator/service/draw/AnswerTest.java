package org.idallocator.service.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;

class AnswerTest {
    private final List<RuntimeException> failures = new ArrayList<>();
    private final DrawListener listener = new DrawListener() {
        @Override
        public void issued(long ids) {
            throw new AssertionError("nothing is issued");
        }

        @Override
        public void failed(RuntimeException why) {
            failures.add(why);
        }
    };

    /** A buffer of 64 KiB takes uid60s of six seconds. What comes after an ID is sent with the next one. */
    @Test
    void shouldSendWhatIsDrawnBeforeItWaitsForTheNextTick() {
        ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
        Uid60Scheme scheme = new Uid60Scheme(Duration.ofHours(1));
        IdGenerator<Uid60> generator = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);
        Order order = Order.of(scheme, 3_000, true, Variant.NONE);
        List<String> sent = new ArrayList<>();
        OutputStream client = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                sent.add((size() + 1) / 11 + " after " + clock.nanos() / 1_000_000_000 + " s");
            }
        };

        new Answer(
                        Draws.of(scheme, generator, DrawListener.NONE, Unlimited.ADMISSION),
                        IdEncoder.of(scheme, Forms.named(scheme, "canonical")),
                        order,
                        Frame.of(Media.TEXT, scheme.name(), order))
                .stream(client, () -> true);

        assertEquals(List.of("1024 after 0 s", "2048 after 1 s"), sent);
    }

    /** A variant of another scheme, which no request can ask for, stands for what nobody expects. */
    @Test
    void shouldTellItsListenerWhenPollingFails() {
        Uid60Scheme scheme = new Uid60Scheme(Duration.ofHours(1));
        Order order = Order.of(scheme, 1, false, SnoGenerator.metabyte(3));
        Answer answer = new Dispenser(new ObedientSource(), name -> listener, Limits.DEFAULT, new BusyCounts())
                .answer(scheme, order, Forms.named(scheme, "canonical"), Media.TEXT);

        RuntimeException thrown = assertThrows(IllegalArgumentException.class, answer::poll);

        assertEquals(List.of(thrown), failures);
    }
}
