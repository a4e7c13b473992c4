package org.idallocator.service.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.generator.IdGenerator;
import org.idallocator.core.generator.MuidGenerator;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.Uid60Generator;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.generator.WaitListener;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.junit.jupiter.api.Test;

/** Who takes places, and who gives them back. */
class AdmissionTest {
    private static final int LARGE = 20_000;

    private final BusyCounts busy = new BusyCounts();
    private final Places streams = new Places(1, "answers are being sent", Limit.STREAMS, busy);
    private final Places waiting = new Places(1, "callers wait", Limit.WAITING, busy);
    private final Places batches = new Places(1, "callers wait for several", Limit.WAITING, busy);
    private final Admission admission =
            new Admission(streams, waiting, batches, new Backlog(() -> 1_000, Duration.ofSeconds(1)));
    private final List<String> heard = new ArrayList<>();

    private static Order order(int count) {
        return new Order(count, true, Variant.NONE, false);
    }

    @Test
    void shouldSendSoManyLargeAnswersAtATime() {
        Admission.Admitted first = admission.admit(order(LARGE));

        BusyException refused = assertThrows(BusyException.class, () -> admission.admit(order(LARGE)));
        assertTrue(String.valueOf(refused.getMessage()).contains("limits.streams"), refused::toString);

        first.close();
        admission.admit(order(LARGE)).close();
        assertEquals(0, streams.taken());
    }

    /** The place of an answer that is refused for another reason is free again. */
    @Test
    void shouldKeepNoPlaceForWhatTakesTooLong() {
        Backlog.Batch other = admission.backlog().begin(LARGE);

        assertThrows(OverCapacityException.class, () -> admission.admit(order(LARGE)));

        assertEquals(0, streams.taken());
        other.close();
    }

    @Test
    void shouldTakeNoPlaceForSmallAnswers() {
        admission.admit(order(LARGE));

        admission.admit(order(2)).close();
    }

    /** A transaction is one draw, whatever its objects. */
    @Test
    void shouldCountATransactionAsASingle() {
        admission.backlog().begin(100);
        Order transaction = Order.of(new MuidScheme(), 1_000_000, true, MuidGenerator.TRANSACTION);

        admission.admit(transaction).close();
    }

    @Test
    void shouldLetSoManyWaitAtATime() {
        WaitListener waits = admission.singleWaits(listener());
        waits.begins();

        BusyException refused = assertThrows(BusyException.class, waits::begins);
        assertTrue(String.valueOf(refused.getMessage()).contains("limits.waiting"), refused::toString);
        assertEquals(1, busy.count(Limit.WAITING));
        assertEquals(0, busy.count(Limit.STREAMS));

        waits.waited(5);
        waits.begins();
        waits.waited(0);
        assertEquals(List.of("5 first"), heard, "whoever did not wait is not counted");
        assertEquals(0, waiting.taken());
    }

    /** However many wait for several IDs, there is room for those who ask for one. */
    @Test
    void shouldHaveSinglesWaitBesideBatches() {
        ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
        Uid60Scheme scheme = new Uid60Scheme(Duration.ofHours(1));
        IdGenerator<Uid60> generator = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);
        Draws draws = Draws.of(scheme, generator, listener(), admission);
        generator.next(1_024); // the second's
        batches.take();

        assertThrows(BusyException.class, () -> draws.generator(order(2)).next(2));
        assertNotNull(draws.generator(order(1)).next());
        assertEquals(List.of("1000000000 first"), heard);
    }

    /** Operators want to know how many answers are late, and by how much. */
    @Test
    void shouldTellWhichWaitIsTheFirstOfAnAnswer() {
        ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
        Uid60Scheme scheme = new Uid60Scheme(Duration.ofHours(1));
        IdGenerator<Uid60> generator = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);
        Draws draws = Draws.of(scheme, generator, listener(), admission);
        generator.next(1_024);

        IdGenerator<? extends Id> answer = draws.generator(order(2_048));
        answer.next(1_024);
        answer.next(1_024);
        draws.generator(order(2)).next(2);

        assertEquals(List.of("1000000000 first", "1000000000", "1000000000 first"), heard);
    }

    private DrawListener listener() {
        return new DrawListener() {
            @Override
            public void issued(long ids) {}

            @Override
            public void waited(long nanos, boolean first) {
                heard.add(nanos + (first ? " first" : ""));
            }

            @Override
            public void failed(RuntimeException why) {}
        };
    }
}
