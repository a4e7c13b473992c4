package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.testing.Proof;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Threads that take numbers as fast as they can until the sequence is closed under them, over and over, and a search
 * through all that they got. Ticks are about a microsecond of real time, so that threads meet on new ticks thousands of
 * times more often than in the ticks of a scheme. {@link TwoAtomics} shows that the search finds what was taken twice.
 */
@TestInstance(Lifecycle.PER_CLASS)
final class TickSequenceStressTest {
    private static final int THREADS = 4;
    private static final int ROUNDS = Proof.size(5, 10);
    private static final int NUMBERS_PER_ROUND = 60_000;
    private static final int TICKS_PER_ROUND = 10_000;
    private static final int TOGGLE_SHIFT = 62;
    private static final int NAIVE_ROUNDS = 200;
    private static final long FLOOR = 1_000;
    private static final long CEILING = 1L << 28;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterAll
    void stop() {
        threads.shutdownNow();
    }

    static Stream<Arguments> shapesAndClocks() {
        return Shapes.all().flatMap(shape -> Stream.of("real", "jumping").map(clock -> Arguments.of(shape, clock)));
    }

    @ParameterizedTest
    @MethodSource("shapesAndClocks")
    void shouldTakeNothingTwiceWhenThreadsMeet(SequenceShape shape, String clockName) throws Exception {
        long numbers = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Clock clock = clockName.equals("real") ? new FastClock() : new JumpingClock();
            Fence fence = Fence.unbounded(clock, FLOOR, CEILING);
            TickSequence sequence = new TickSequence(shape, fence, 0);

            Outcome outcome = untilClosed(shape, sequence);

            assertEquals(0, repeats(outcome.taken));
            assertEquals(outcome.highestByClose, highestTick(shape, outcome.taken), "no more, no less than close said");
            assertEquals(FenceReason.RELEASED, released(sequence));
            numbers += outcome.taken.size();
        }
        assertTrue(numbers >= (long) ROUNDS * enough(shape), "too few to mean anything");
    }

    /** The positive control: the same threads, clock and search. */
    @Test
    void shouldFindRepeatsWhenTimeAndSequenceAreTwoAtomics() throws Exception {
        int repeats = 0;
        for (int round = 0; round < NAIVE_ROUNDS && repeats == 0; round++) {
            Clock clock = new FastClock();
            repeats = repeats(takenBy(1_024, new TwoAtomics(1_024, clock::micros)));
        }

        assertTrue(repeats > 0, "the naive sequence got through: this search proves nothing");
    }

    /** The toggle, tick and number of everything taken, as one number each. */
    private static void add(List<Long> all, int capacity, Taken taken) {
        for (int i = 0; i < taken.count(); i++) {
            long position = capacity == 1 ? taken.tick() + i : taken.tick() * capacity + (taken.first() + i) % capacity;
            all.add((long) taken.toggle() << TOGGLE_SHIFT | position);
        }
    }

    private static int repeats(List<Long> taken) {
        return taken.size() - new HashSet<>(taken).size();
    }

    private static long highestTick(SequenceShape shape, List<Long> taken) {
        return taken.stream()
                .mapToLong(position -> (position & ((1L << TOGGLE_SHIFT) - 1)) / shape.capacity())
                .max()
                .orElse(-1);
    }

    private record Outcome(List<Long> taken, long highestByClose) {}

    /** Real time limits how many numbers there are where each tick has one. */
    private static int enough(SequenceShape shape) {
        return shape.capacity() == 1 ? TICKS_PER_ROUND : NUMBERS_PER_ROUND;
    }

    /** What all threads but one took; that one closes the sequence while the others take. */
    private Outcome untilClosed(SequenceShape shape, TickSequence sequence) throws Exception {
        AtomicLong done = new AtomicLong();
        List<Future<List<Long>>> takers = new ArrayList<>();
        for (int i = 0; i < THREADS - 1; i++) {
            SplittableRandom random = new SplittableRandom(i);
            takers.add(threads.submit(() -> takeUntilClosed(shape, sequence, random, done)));
        }
        Future<Long> closer = threads.submit(() -> {
            while (done.get() < enough(shape)) {
                Thread.onSpinWait();
            }
            return sequence.close();
        });
        return new Outcome(together(takers), closer.get());
    }

    private static List<Long> takeUntilClosed(
            SequenceShape shape, TickSequence sequence, SplittableRandom random, AtomicLong done) {
        List<Long> mine = new ArrayList<>();
        while (true) {
            try {
                Taken taken = random.nextBoolean()
                        ? sequence.take(random.nextInt(4) == 0 ? 1 + random.nextInt(200) : 1, 0)
                        : takenOne(sequence);
                if (taken.count() > 0) {
                    add(mine, shape.capacity(), taken);
                    done.addAndGet(taken.count());
                }
            } catch (FencedException e) {
                assertEquals(FenceReason.RELEASED, e.reason());
                return mine;
            }
        }
    }

    private static Taken takenOne(TickSequence sequence) {
        long word = sequence.takeOne();
        return word == TickSequence.NOT_NOW
                ? Taken.none(0, Taken.Until.NEXT_TICK)
                : new Taken(
                        null,
                        sequence.tick(word),
                        sequence.tick(word),
                        sequence.toggle(word),
                        sequence.number(word),
                        1,
                        0,
                        Taken.Until.NEXT_TICK);
    }

    private static FenceReason released(TickSequence sequence) {
        return assertThrows(FencedException.class, () -> sequence.take(1, 0)).reason();
    }

    private List<Long> takenBy(int capacity, TwoAtomics naive) throws Exception {
        Callable<List<Long>> taker = () -> {
            List<Long> mine = new ArrayList<>();
            for (int i = 0; i < NUMBERS_PER_ROUND; i++) {
                add(mine, capacity, naive.take());
            }
            return mine;
        };
        List<Future<List<Long>>> takers = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            takers.add(threads.submit(taker));
        }
        return together(takers);
    }

    private static List<Long> together(List<Future<List<Long>>> takers) throws Exception {
        List<Long> all = new ArrayList<>();
        for (Future<List<Long>> taker : takers) {
            all.addAll(taker.get());
        }
        return all;
    }

    /** The way of the original sno v1.2.1: the highest time in one atomic, the sequence in another. */
    private static final class TwoAtomics {
        private final AtomicLong wallHigh = new AtomicLong();
        private final AtomicInteger sequence = new AtomicInteger();
        private final int capacity;
        private final LongSupplier clock;

        private TwoAtomics(int capacity, LongSupplier clock) {
            this.capacity = capacity;
            this.clock = clock;
        }

        private Taken take() {
            while (true) {
                long high = wallHigh.get();
                long now = clock.getAsLong();
                if (now == high) {
                    int number = sequence.incrementAndGet();
                    if (number < capacity) {
                        return new Taken(null, now, now, 0, number, 1, 0, Taken.Until.NEXT_TICK);
                    }
                } else if (now > high && wallHigh.compareAndSet(high, now)) {
                    sequence.set(0);
                    return new Taken(null, now, now, 0, 0, 1, 0, Taken.Until.NEXT_TICK);
                }
            }
        }
    }

    /** Real time since the clock was made, which never steps back. A microsecond is a tick. */
    private static class FastClock implements Clock {
        private final long origin = System.nanoTime();

        @Override
        public long micros() {
            return FLOOR + ((System.nanoTime() - origin) >> 10);
        }

        @Override
        public final long nanos() {
            return 0;
        }

        @Override
        public final void park(long nanos) {
            throw new UnsupportedOperationException("never sleeps");
        }
    }

    /** Real time that is some ticks off now and then, for one reading or until the clock jumps again. */
    private static final class JumpingClock extends FastClock {
        private final AtomicInteger offset = new AtomicInteger();

        @Override
        public long micros() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int dice = random.nextInt(1_000);
            if (dice == 0) {
                offset.addAndGet(random.nextInt(-300, 301));
            }
            return super.micros() + offset.get() + (dice < 10 ? random.nextInt(-20, 21) : 0);
        }
    }
}
