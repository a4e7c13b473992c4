package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.idallocator.core.testing.HangGuard;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OverflowTest {
    private static final long NOW_MS = 1_000_000;
    private static final int CAPACITY = 64;
    private static final Executor DIRECT = Runnable::run;

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000 + 300);
    private final List<Overflow> heard = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    // --- What is told, and when.

    @Test
    void shouldTellNothingWhenNobodyWaits() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(CAPACITY, (high, low) -> {});

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldTellOnceATickWhenBatchLastsSeveral() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(3 * CAPACITY + 1, (high, low) -> {});

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2), overflow(2, 1, 3)), heard);
    }

    @Test
    void shouldGoOnWhenNextTickOverflowsToo() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(CAPACITY + 1, (high, low) -> {});
        generator.next(CAPACITY, (high, low) -> {});

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2)), heard);
    }

    @Test
    void shouldBeginAnewWhenATickWentByInWhichNobodyWaited() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);

        generator.next(2 * CAPACITY + 1, (high, low) -> {});
        clock.advance(Duration.ofMillis(1));
        generator.next(CAPACITY, (high, low) -> {});
        clock.advance(Duration.ofMillis(1));
        generator.next(CAPACITY + 1, (high, low) -> {});

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2), overflow(4, 1, 1)), heard);
    }

    @Test
    void shouldGoOnWhenClockStepsBackMeanwhile() {
        SnoGenerator snos = SnoGenerator.restore(SnoSnapshot.fresh(SnoPartition.of(7), new SnoRange(0, 3)), clock);
        clock.setMicros(SnoGenerator.UNIT.microsAt(1_000));
        IdGenerator<Sno> generator = new IdGenerator<>(
                        () -> snos, Sno::new, SnoGenerator.UNIT, Duration.ofSeconds(1), clock)
                .onOverflow(heard::add, DIRECT);

        generator.next(5, (high, low) -> {});
        clock.setMicros(SnoGenerator.UNIT.microsAt(990));
        generator.next(5, (high, low) -> {});

        assertEquals(List.of(1L, 2L), heard.stream().map(Overflow::ticks).toList());
        assertEquals(SnoGenerator.UNIT.instantAt(990), heard.get(1).now());
    }

    @Test
    void shouldTellNothingWhenWaitIsForTheFloor() {
        Fence ahead = Fence.unbounded(clock, NOW_MS + 1, EightByteGenerator.UNIT.maxTick());
        Generator cooling = new EightByteGenerator(0, 0, false, ahead);
        IdGenerator<EightByteId> generator = of(cooling, Duration.ofSeconds(1)).onOverflow(heard::add, DIRECT);

        generator.next();

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldTellNothingWhenWaitIsForAClockThatSteppedBack() {
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, DIRECT);
        generator.next(CAPACITY, (high, low) -> {});
        clock.setMicros((NOW_MS - 100) * 1_000);

        generator.next();

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldCountNobodyWhenCallerIsRefusedInstead() {
        IdGenerator<EightByteId> generator =
                of(generator(0), Duration.ofNanos(1)).onOverflow(heard::add, DIRECT);

        assertThrows(OverCapacityException.class, () -> generator.next(CAPACITY + 1, (high, low) -> {}));

        assertEquals(List.of(), heard);
    }

    @Test
    void shouldCountCallerNoMoreWhenItsTenureIsFencedInItsWait() {
        Fence ends = Fence.unbounded(clock, 0, NOW_MS);
        Generator first = new EightByteGenerator(0, 0, false, ends);
        List<Generator> serving = new ArrayList<>(List.of(first));
        IdGenerator<EightByteId> generator = new IdGenerator<EightByteId>(
                        () -> serving.get(0), EightByteId::new, EightByteGenerator.UNIT, Duration.ofSeconds(1), clock)
                .onOverflow(heard::add, DIRECT);

        assertThrows(FencedException.class, () -> generator.next(CAPACITY + 1, (high, low) -> {}));
        serving.set(0, generator(1));
        generator.next(CAPACITY + 1, (high, low) -> {});

        assertEquals(List.of(overflow(0, 1, 1), overflow(1, 1, 2)), heard);
    }

    @Test
    void shouldHearOnlyItsOwnCallersWhenAnotherHasNoListener() {
        IdGenerator<EightByteId> plain = onSlot(0);
        IdGenerator<EightByteId> told = plain.onOverflow(heard::add, DIRECT);

        plain.next(CAPACITY + 1, (high, low) -> {});
        assertEquals(List.of(), heard);
        told.next(CAPACITY, (high, low) -> {});
        assertEquals(1, heard.size());
        assertNotSame(plain, told);
    }

    @Test
    void shouldStillHearWhenGeneratorIsSeenAsAnother() {
        IdGenerator<EightByteId> generator =
                onSlot(0).onOverflow(heard::add, DIRECT).as(EightByteId::new);

        generator.next(CAPACITY + 1, (high, low) -> {});

        assertEquals(1, heard.size());
    }

    // --- Slow and broken listeners.

    @Test
    void shouldHaveOnePendingAndTellNewestFiguresWhenListenerIsSlow() {
        Queue<Runnable> queue = new ArrayDeque<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, queue::add);

        generator.next(10 * CAPACITY + 1, (high, low) -> {});

        assertEquals(1, queue.size());
        queue.remove().run();
        assertEquals(List.of(overflow(9, 0, 10)), heard, "nobody waits any more");
        generator.next(CAPACITY, (high, low) -> {});
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
                                self.get(0).next(3 * CAPACITY + CAPACITY / 2, (high, low) -> {});
                            }
                        },
                        DIRECT));

        self.get(0).next(CAPACITY + 1, (high, low) -> {});
        self.get(0).next(CAPACITY, (high, low) -> {});

        assertEquals(List.of(overflow(0, 1, 1), overflow(4, 1, 5)), heard);
    }

    @Test
    void shouldNotHinderCallersWhenExecutorRefuses() {
        List<Runnable> refused = new ArrayList<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(heard::add, work -> {
            refused.add(work);
            throw new RejectedExecutionException("full");
        });

        generator.next(2 * CAPACITY + 1, (high, low) -> {});

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
            generator.next(2 * CAPACITY + 1, (high, low) -> {});
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }

        assertEquals(
                List.of("broken 1", "broken 2"),
                uncaught.stream().map(Throwable::getMessage).toList());
    }

    @Test
    void shouldTellOnADaemonThreadWhenNoExecutorIsNamed() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        List<Thread> where = new ArrayList<>();
        IdGenerator<EightByteId> generator = onSlot(0).onOverflow(overflow -> {
            where.add(Thread.currentThread());
            told.countDown();
        });

        generator.next(CAPACITY + 1, (high, low) -> {});

        assertTrue(told.await(HangGuard.MINUTES, TimeUnit.MINUTES));
        assertTrue(where.get(0).isDaemon());
    }

    // --- Real threads. Each step waits for the one before it, so that no timing decides.

    @Test
    void shouldDrawOnWhenListenerBlocks() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        IdGenerator<EightByteId> generator = onSlot(0)
                .onOverflow(
                        overflow -> {
                            busy.countDown();
                            awaitUninterrupted(free);
                        },
                        threads);
        Set<Long> ids = new HashSet<>();

        generator.next(CAPACITY + 1, (high, low) -> ids.add(low));
        assertTrue(busy.await(HangGuard.MINUTES, TimeUnit.MINUTES));
        generator.next(100 * CAPACITY, (high, low) -> ids.add(low));
        free.countDown();

        assertEquals(101 * CAPACITY + 1, ids.size());
    }

    @Test
    void shouldCountAllWhoWaitWhenThreadsDo() throws Exception {
        int callers = 5;
        GatedClock gated = new GatedClock(clock);
        Queue<Runnable> queue = new ArrayDeque<>();
        IdGenerator<EightByteId> generator = full(gated).onOverflow(heard::add, queue::add);
        Set<EightByteId> ids = ConcurrentHashMap.newKeySet();

        List<Future<Boolean>> calls = Stream.generate(() -> threads.submit(() -> ids.add(generator.next())))
                .limit(callers)
                .toList();
        gated.awaitParked(callers);
        queue.remove().run();
        clock.advance(Duration.ofMillis(1));
        gated.open(callers);
        for (Future<Boolean> call : calls) {
            assertTrue(call.get(HangGuard.MINUTES, TimeUnit.MINUTES));
        }

        assertEquals(List.of(overflow(0, callers, 1)), heard);
        assertEquals(callers, ids.size());
        assertEquals(0, queue.size(), "one delivery for all of them");
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Generator generator(int slot) {
        return new EightByteGenerator(slot, 0, false, Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick()));
    }

    private IdGenerator<EightByteId> onSlot(int slot) {
        return of(generator(slot), Duration.ofSeconds(1));
    }

    /** A generator whose tick is used up already. */
    private IdGenerator<EightByteId> full(Clock of) {
        Generator used = generator(0);
        Draw.of(used, CAPACITY, Variant.NONE, (high, low) -> {});
        return new IdGenerator<>(() -> used, EightByteId::new, EightByteGenerator.UNIT, Duration.ofSeconds(1), of);
    }

    private IdGenerator<EightByteId> of(Generator from, Duration maxWait) {
        return new IdGenerator<>(() -> from, EightByteId::new, EightByteGenerator.UNIT, maxWait, clock);
    }

    private static Overflow overflow(long afterMs, int waiting, long ticks) {
        return new Overflow(Instant.ofEpochMilli(NOW_MS + afterMs), waiting, ticks);
    }

    /** Wall time from another clock. Whoever parks stays parked until the test opens the gate. */
    private static final class GatedClock implements Clock {
        private final Clock wall;
        private final Semaphore parked = new Semaphore(0);
        private final Semaphore gate = new Semaphore(0);

        private GatedClock(Clock wall) {
            this.wall = wall;
        }

        private void awaitParked(int threads) throws InterruptedException {
            assertTrue(parked.tryAcquire(threads, HangGuard.MINUTES, TimeUnit.MINUTES));
        }

        private void open(int threads) {
            gate.release(threads);
        }

        @Override
        public long micros() {
            return wall.micros();
        }

        @Override
        public long nanos() {
            return wall.nanos();
        }

        @Override
        public void park(long nanos) {
            parked.release();
            gate.acquireUninterruptibly();
        }
    }
}
