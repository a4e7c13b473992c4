package org.idallocator.service.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.generator.SnoGenerator;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.text.Forms;
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

    /** A variant of another scheme, which no request can ask for, stands for what nobody expects. */
    @Test
    void shouldTellItsListenerWhenPollingFails() {
        Uid60Scheme scheme = new Uid60Scheme(Duration.ofHours(1));
        Order order = Order.of(scheme, 1, false, SnoGenerator.metabyte(3));
        Answer answer = new Dispenser(new ObedientSource(), name -> listener)
                .answer(scheme, order, Forms.named(scheme, "canonical"), Media.TEXT);

        RuntimeException thrown = assertThrows(IllegalArgumentException.class, answer::poll);

        assertEquals(List.of(thrown), failures);
    }
}
