package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Muid;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.id.Uid60;
import org.idallocator.core.scheme.LocalIds;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.Test;

final class OverflowTest {
    private static final long NOW_MS = 1_000_000;
    private static final int CAPACITY = 64;
    private static final Executor DIRECT = Runnable::run;
    private static final IdSink NOTHING = (high, low) -> {};

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000 + 300);
    private final List<Overflow> heard = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();

    // --- What is told, and when.

    @Test
    void shouldTellNothingWhenNobodyWaits() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(CAPACITY, NOTHING);

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldTellOnceATickAndBeginAnewWhenATickWentByInWhichNobodyWaited() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(2 * CAPACITY + 1, NOTHING);
        generator.next(CAPACITY, NOTHING);
        clock.advance(Duration.ofMillis(1));
        generator.next(CAPACITY, NOTHING);
        clock.advance(Duration.ofMillis(1));
        generator.next(CAPACITY + 1, NOTHING);

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2), overflow(2, 1, 3), overflow(5, 1, 1)), heard);
    }

    @Test
    void shouldGoOnWhenClockStepsBackMeanwhile() {
        SnoGenerator snos = SnoGenerator.restore(SnoSnapshot.fresh(SnoPartition.of(7), new SnoRange(0, 3)), clock);
        clock.setMicros(SnoGenerator.UNIT.microsAt(1_000));
        IdGenerator<Sno> generator = new IdGenerator<>(
                        () -> snos, Sno::new, SnoGenerator.UNIT, Duration.ofSeconds(1), clock)
                .onOverflow(heard::add, DIRECT);

        generator.next(5, NOTHING);
        clock.setMicros(SnoGenerator.UNIT.microsAt(990));
        generator.next(5, NOTHING);

        assertEquals(List.of(1L, 2L), heard.stream().map(Overflow::ticks).toList());
        assertEquals(SnoGenerator.UNIT.instantAt(990), heard.get(1).now());
    }

    @Test
    void shouldTellNothingWhenNoTickOverflows() {
        Fence ahead = Fence.unbounded(clock, NOW_MS + 1, EightByteGenerator.UNIT.maxTick());
        Generator cooling = new EightByteGenerator(0, 0, false, ahead);
        of(cooling, Duration.ofSeconds(1)).onOverflow(heard::add, DIRECT).next();
        IdGenerator<EightByteId> back = onSlot(0).onOverflow(heard::add, DIRECT);
        back.next(CAPACITY, NOTHING);
        clock.setMicros((NOW_MS - 100) * 1_000);
        back.next();
        IdGenerator<EightByteId> refused = of(generator(0), Duration.ofNanos(1)).onOverflow(heard::add, DIRECT);
        assertThrows(OverCapacityException.class, () -> refused.next(CAPACITY + 1, NOTHING));

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldCountCallerNoMoreWhenItsTenureIsFencedInItsWait() {
        Fence ends = Fence.unbounded(clock, 0, NOW_MS);
        Generator first = new EightByteGenerator(0, 0, false, ends);
        List<Generator> serving = new ArrayList<>(List.of(first));
        IdGenerator<EightByteId> generator =
                of(() -> serving.get(0), Duration.ofSeconds(1)).onOverflow(heard::add, DIRECT);

        assertThrows(FencedException.class, () -> generator.next(CAPACITY + 1, NOTHING));
        serving.set(0, generator(1));
        generator.next(CAPACITY + 1, NOTHING);

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2)), heard);
    }

    @Test
    void shouldHearOnlyItsOwnCallersWhenAnotherHasNoListener() {
        IdGenerator<EightByteId> plain = onSlot(0);
        IdGenerator<EightByteId> told = plain.onOverflow(heard::add, DIRECT);

        plain.next(CAPACITY + 1, NOTHING);
        assertEquals(List.of(), heard);
        told.as(EightByteId::new).next(CAPACITY, NOTHING);
        assertEquals(1, heard.size());
    }

    // --- Slow and broken listeners.

    @Test
    void shouldHaveOnePendingAndTellNewestFiguresWhenListenerIsSlow() {
        Queue<Runnable> queue = new ArrayDeque<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, queue::add);

        generator.next(10 * CAPACITY + 1, NOTHING);

        assertEquals(1, queue.size());
        queue.remove().run();
        assertEquals(List.of(overflow(9, 0, 10)), heard, "nobody waits any more");
        generator.next(CAPACITY, NOTHING);
        assertEquals(1, queue.size());
        queue.remove().run();
        assertEquals(overflow(10, 0, 11), heard.get(1));
    }

    /** The listener's own call waits in each of the ticks up to the fourth, in which it leaves some. */
    @Test
    void shouldDropWhatComesWhileListenerIsBusy() {
        List<IdGenerator<EightByteId>> self = new ArrayList<>();
        self.add(onSlot(0)
                .onOverflow(
                        overflow -> {
                            heard.add(overflow);
                            if (heard.size() == 1) {
                                self.get(0).next(3 * CAPACITY + CAPACITY / 2, NOTHING);
                            }
                        },
                        DIRECT));

        self.get(0).next(CAPACITY + 1, NOTHING);
        self.get(0).next(CAPACITY, NOTHING);

        assertEquals(List.of(overflow(0, 1, 1), overflow(4, 1, 5)), heard);
    }

    @Test
    void shouldNotHinderCallersWhenExecutorRefuses() {
        List<Runnable> refused = new ArrayList<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, work -> {
            refused.add(work);
            throw new RejectedExecutionException("full");
        });

        generator.next(2 * CAPACITY + 1, NOTHING);

        assertEquals(2, refused.size(), "tried again in the next tick");
    }

    @Test
    void shouldNotHinderCallersWhenListenerThrows() {
        List<Throwable> uncaught = new ArrayList<>();
        Thread thread = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, thrown) -> uncaught.add(thrown));
        try {
            IdGenerator<EightByteId> generator = onSlot(0)
                    .onOverflow(
                            overflow -> {
                                throw new IllegalStateException("broken " + overflow.ticks());
                            },
                            DIRECT);
            generator.next(2 * CAPACITY + 1, NOTHING);
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }

        assertEquals(
                List.of("broken 1", "broken 2"),
                uncaught.stream().map(Throwable::getMessage).toList());
    }

    /** They wait for many ticks at once. */
    @Test
    void shouldHearOfBatchesOfMuids() {
        new LocalIds(Duration.ofSeconds(1), clock)
                .muid(Muid.MIN_MEDALLION)
                .onOverflow(heard::add, DIRECT)
                .next(10_000, (high, low) -> {});

        assertFalse(heard.isEmpty());
    }

    @Test
    void shouldTellNoTimeOfWhomItRefusesAtOnce() {
        List<Long> waited = new ArrayList<>();
        IdGenerator<Uid60> ids =
                new LocalIds(Duration.ofNanos(1), Clock.system()).uid60(0).onWait(waited::add);

        assertThrows(OverCapacityException.class, () -> ids.next(10_000, (high, low) -> {}));
        assertEquals(List.of(0L), waited);
    }

    @Test
    void shouldTellOnADaemonThreadWhenNoExecutorIsNamed() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        List<Thread> where = new ArrayList<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(overflow -> {
            where.add(Thread.currentThread());
            told.countDown();
        });

        generator.next(CAPACITY + 1, NOTHING);

        assertTrue(told.await(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertTrue(where.get(0).isDaemon());
    }

    // --- What waits are told.

    private IdGenerator<EightByteId> waitingFor(TenureSource<Generator> source, Duration maxWait) {
        return of(source, maxWait).onWait(nanos -> waits.add(Duration.ofNanos(nanos)));
    }

    /** 0.3 ms of the first tick are past. Both listeners hear, whichever was named first. */
    @Test
    void shouldHearOnceOfACallThatWaitsForSeveralTicks() {
        Generator slot = generator(0);
        IdGenerator<EightByteId> ids =
                waitingFor(() -> slot, Duration.ofSeconds(1)).onOverflow(heard::add, DIRECT);

        ids.next(CAPACITY - 1, NOTHING);
        ids.next();
        assertEquals(List.of(), waits);
        ids.next(2 * CAPACITY + 1, NOTHING);
        ids.onWait(WaitListener.NONE).next(CAPACITY, NOTHING);

        assertEquals(List.of(Duration.ofNanos(2_700_000)), waits);
        assertEquals(4, heard.size());
    }

    @Test
    void shouldHearOfCallsThatFail() {
        Generator slot = generator(0);
        Generator ending = new EightByteGenerator(1, 0, false, Fence.unbounded(clock, 0, NOW_MS));
        IdGenerator<EightByteId> refused = waitingFor(() -> slot, Duration.ofNanos(1));
        IdGenerator<EightByteId> fenced = waitingFor(() -> ending, Duration.ofSeconds(1));

        assertThrows(OverCapacityException.class, () -> refused.next(CAPACITY + 1, NOTHING));
        assertThrows(FencedException.class, () -> fenced.next(CAPACITY + 1, NOTHING));

        assertEquals(List.of(Duration.ZERO, Duration.ofNanos(700_000)), waits);
    }

    /** Whoever refuses a call before it waits hears nothing further of it, and the call is in no line. */
    @Test
    void shouldRefuseCallsBeforeTheyWait() {
        IdGenerator<EightByteId> ids = onSlot(0);
        IdGenerator<EightByteId> refused = ids.onWait(new WaitListener() {
            @Override
            public void begins() {
                throw new OverCapacityException("too many wait", Duration.ofSeconds(1));
            }

            @Override
            public void waited(long nanos) {
                waits.add(Duration.ofNanos(nanos));
            }
        });
        refused.next(CAPACITY, NOTHING);

        assertThrows(OverCapacityException.class, refused::next);

        assertEquals(List.of(), waits);
        assertEquals(0, clock.nanos());
        clock.advance(Duration.ofMillis(1));
        assertEquals(CAPACITY, ids.nextUpTo(CAPACITY, NOTHING), "all of the next tick");
    }

    private Generator generator(int slot) {
        return new EightByteGenerator(slot, 0, false, Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick()));
    }

    private IdGenerator<EightByteId> onSlot(int slot) {
        return of(generator(slot), Duration.ofSeconds(1));
    }

    private IdGenerator<EightByteId> of(Generator from, Duration maxWait) {
        return of(() -> from, maxWait);
    }

    private IdGenerator<EightByteId> of(TenureSource<Generator> source, Duration maxWait) {
        return new IdGenerator<>(source, EightByteId::new, EightByteGenerator.UNIT, maxWait, clock);
    }

    private static Overflow overflow(long afterMs, int waiting, long ticks) {
        return new Overflow(Instant.ofEpochMilli(NOW_MS + afterMs), waiting, ticks);
    }
}
