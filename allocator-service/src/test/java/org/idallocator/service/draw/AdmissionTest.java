package org.idallocator.service.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
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
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Uid60Scheme;
import org.idallocator.service.decode.Forms;
import org.junit.jupiter.api.Test;

/** Who takes places, and who gives them back. */
class AdmissionTest {
    private static final int LARGE = 20_000;
    private static final Uid60Scheme SCHEME = new Uid60Scheme(Duration.ofHours(1));

    private final BusyCounts busy = new BusyCounts();
    private final Places streams = new Places(1, "answers are being sent", Limit.STREAMS, busy);
    private final Places waiting = new Places(1, "callers wait", Limit.WAITING, busy);
    private final Places batches = new Places(1, "callers wait for several", Limit.WAITING, busy);
    private final Admission admission =
            new Admission(streams, waiting, batches, new Backlog(() -> 1_000, Duration.ofSeconds(1)));
    private final ScriptedClock clock = new ScriptedClock(Uid60Generator.UNIT.microsAt(1_000));
    private final IdGenerator<Uid60> generator = new LocalIds(Duration.ofSeconds(2), clock).uid60(17);
    private final List<String> heard = new ArrayList<>();
    private long issued;

    private static Order order(int count) {
        return new Order(count, true, Variant.NONE, false);
    }

    @Test
    void shouldSendSoManyLargeAnswersAtATime() {
        Admission.Admitted first = admission.admit(order(LARGE), DrawListener.NONE);

        BusyException refused =
                assertThrows(BusyException.class, () -> admission.admit(order(LARGE), DrawListener.NONE));
        assertTrue(String.valueOf(refused.getMessage()).contains("limits.streams"), refused::toString);

        first.close();
        admission.admit(order(LARGE), DrawListener.NONE).close();
        assertEquals(0, streams.taken());
    }

    /** The place of an answer that is refused for another reason is free again. */
    @Test
    void shouldKeepNoPlaceForWhatTakesTooLong() {
        Backlog.Batch other = admission.backlog().begin(LARGE);

        assertThrows(OverCapacityException.class, () -> admission.admit(order(LARGE), DrawListener.NONE));

        assertEquals(0, streams.taken());
        other.close();
    }

    @Test
    void shouldTakeNoPlaceForSmallAnswers() {
        admission.admit(order(LARGE), DrawListener.NONE);

        admission.admit(order(2), DrawListener.NONE).close();
    }

    /** A transaction is one draw, whatever its objects. */
    @Test
    void shouldCountATransactionAsASingle() {
        admission.backlog().begin(100);
        Order transaction = Order.of(new MuidScheme(), 1_000_000, true, MuidGenerator.TRANSACTION);

        admission.admit(transaction, DrawListener.NONE).close();
    }

    @Test
    void shouldLetSoManyWaitAtATime() {
        WaitListener waits = admission.waitsOfOne(listener());
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

    /** Who asks in front of all that may wait hears the same as who waits, and has taken nothing. */
    @Test
    void shouldSayWithoutWaitingWhetherThereIsRoom() {
        List.of(1, 2, LARGE).forEach(count -> admission.requireRoom(order(count)));
        waiting.take();
        batches.take();
        streams.take();

        List.of(1, 2, LARGE)
                .forEach(count -> assertThrows(BusyException.class, () -> admission.requireRoom(order(count))));
        List.of(1, 2, LARGE).forEach(count -> assertFalse(admission.hasRoom(order(count))));

        List.of(waiting, batches, streams).forEach(Places::giveBack);
        Backlog.Batch other = admission.backlog().begin(LARGE);
        admission.requireRoom(order(1));
        assertTrue(admission.hasRoom(order(1)));
        assertThrows(OverCapacityException.class, () -> admission.requireRoom(order(LARGE)));
        assertFalse(admission.hasRoom(order(LARGE)));
        other.close();
        admission.requireRoom(order(LARGE));
        assertTrue(admission.hasRoom(order(LARGE)));
        List.of(waiting, batches, streams).forEach(places -> assertEquals(0, places.taken()));
    }

    /** However many wait for several IDs, there is room for those who ask for one. */
    @Test
    void shouldHaveSinglesWaitBesideBatches() {
        batches.take();

        assertThrows(BusyException.class, () -> answer(order(2)).whole(() -> true));
        assertEquals(0, clock.nanos(), "nobody waits to be refused");
        generator.next(1_024); // the second's
        answer(new Order(1, false, Variant.NONE, false)).whole(() -> true);
        assertEquals(List.of("1000000000 first"), heard);
    }

    /** Operators want to know how many answers are late, and by how much. */
    @Test
    void shouldTellWhichWaitIsTheFirstOfAnAnswer() {
        answer(order(3_000)).whole(() -> true);
        answer(order(1_024)).whole(() -> true);

        assertEquals(List.of("1000000000 first", "1000000000", "1000000000 first"), heard);
    }

    /** What is kept for a caller's work may be others' meanwhile. */
    @Test
    void shouldTellTheCallerWhenTheDrawIsAboutToWait() {
        List<Long> rests = new ArrayList<>();
        Caller caller = new Caller() {
            @Override
            public boolean waits() {
                return true;
            }

            @Override
            public void rests() {
                rests.add(clock.nanos());
            }
        };

        answer(order(1_024)).whole(caller);
        assertEquals(List.of(), rests, "the whole second was left");
        answer(order(2)).whole(caller);
        assertEquals(List.of(0L), rests, "before the next one has come");
    }

    /** Where all who wait have places, whoever comes is refused before a part is drawn, which nobody would get. */
    @Test
    void shouldDrawNoPartForWhomItRefuses() {
        batches.take();

        assertThrows(BusyException.class, () -> answer(order(1_025)).whole(() -> true));

        assertEquals(0, issued);
        batches.giveBack();
        answer(order(1_024)).whole(() -> true);
        assertEquals(0, clock.nanos(), "the whole second was left");
    }

    /** Once a caller has some of its IDs, it keeps its place until it has them all. */
    @Test
    void shouldKeepThePlaceOfABatchUntilItIsWhole() {
        List<Integer> taken = new ArrayList<>();

        answer(order(3_000)).whole(() -> taken.add(batches.taken()));

        assertEquals(List.of(0, 1), taken, "after the first second's, and after the next one's");
        assertEquals(0, batches.taken());
    }

    /** A large answer that has begun is not cut off because others wait, too. */
    @Test
    void shouldEndNoLargeAnswerForALimit() {
        Order large = order(LARGE);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        batches.take();
        waiting.take();

        answer(large).stream(sent, () -> true);

        assertEquals(LARGE, sent.toString(StandardCharsets.US_ASCII).lines().count());
        assertEquals(LARGE / 1_024, heard.size(), "each second's wait is counted");
        assertEquals(0, streams.taken());
    }

    private Answer answer(Order order) {
        return new Answer(
                Draws.of(SCHEME, generator, listener(), admission),
                IdEncoder.of(SCHEME, Forms.named(SCHEME, Forms.CANONICAL)),
                order,
                Frame.of(Media.TEXT, SCHEME.name(), order));
    }

    private DrawListener listener() {
        return new DrawListener() {
            @Override
            public void issued(long ids) {
                issued += ids;
            }

            @Override
            public void waited(long nanos, boolean first) {
                heard.add(nanos + (first ? " first" : ""));
            }

            @Override
            public void failed(RuntimeException why) {}
        };
    }
}
