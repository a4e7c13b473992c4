package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@link TickSequenceModelTest} does not do: nonsense, fences that trip, and threads. Ticks are microseconds. */
final class TickSequenceTest {
    private static final long CEILING = 100_000;

    private final ScriptedClock clock = new ScriptedClock(20);

    /** A tick of four would give numbers back, or five. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, count must be 1 or more: 0",
        "-2147483648, 0, count must be 1 or more: -2147483648",
        "1000000, -1, leave must be 0..2147483647: -1"
    })
    void shouldRefuseWhenCountsAreNegative(int wanted, int leave, String message) {
        TickSequence sequence = new TickSequence(Shapes.plain(4), Fence.unbounded(clock, 10, CEILING), 0);
        TickSequence.Snapshot before = sequence.snapshot();

        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> sequence.take(wanted, leave));

        assertEquals(message, thrown.getMessage());
        assertEquals(before, sequence.snapshot());
    }

    @Test
    void shouldTakeNothingWhenDeadlineHasPassed() {
        TickSequence sequence = new TickSequence(Shapes.plain(4), new Fence(clock, 10, CEILING, 5_000), 0);
        sequence.take(1, 0);
        clock.park(5_000);
        clock.setMicros(20);

        FencedException one = assertThrows(FencedException.class, sequence::takeOne);
        FencedException some = assertThrows(FencedException.class, () -> sequence.take(1, 0));

        assertEquals(FenceReason.DEADLINE_PASSED, one.reason());
        assertEquals(one, some);
        assertEquals(1, sequence.snapshot().used());
    }

    @Test
    void shouldTakeNothingWhenFenced() {
        Fence fence = Fence.unbounded(clock, 10, CEILING);
        TickSequence sequence = new TickSequence(Shapes.plain(4), fence, 0);
        sequence.take(1, 0);
        FencedException tripped = fence.trip(FenceReason.SESSION_LOST, "gone");

        assertEquals(tripped, assertThrows(FencedException.class, sequence::takeOne));
        assertEquals(tripped, assertThrows(FencedException.class, () -> sequence.take(1, 0)));
        assertEquals(1, sequence.snapshot().used());
        assertEquals(20, sequence.close());
    }

    @Test
    void shouldNotToggleWhenAnotherThreadWasAheadWithALaterReading() {
        TickSequence[] sequence = new TickSequence[1];
        Clock overtaken = new OvertakenClock(20, () -> sequence[0].take(1, 0));
        sequence[0] = new TickSequence(Shapes.tickTocking(4), Fence.unbounded(overtaken, 0, CEILING), 0);

        Taken late = sequence[0].take(1, 0);

        assertEquals(new TickSequence.Snapshot(21, 2, -1, 0), sequence[0].snapshot());
        assertEquals(21, late.tick());
    }

    /**
     * This thread has seen 50 and reads 20. Before it steps back, another thread, whose clock is right, goes on to 60.
     */
    @Test
    void shouldCountWhatAnotherThreadTookBeforeItSteppedBack() {
        TickSequence[] sequence = new TickSequence[1];
        Queue<LongSupplier> readings = new ArrayDeque<>(List.of(
                () -> 50,
                () -> {
                    sequence[0].take(1, 0);
                    return 20;
                },
                () -> 60,
                () -> 20,
                () -> 20));
        sequence[0] = new TickSequence(Shapes.tickTocking(4), Fence.unbounded(new ToldClock(readings), 0, CEILING), 0);
        sequence[0].take(1, 0);
        sequence[0].take(1, 0);

        assertEquals(new TickSequence.Snapshot(20, 1, 60, 1), sequence[0].snapshot());
    }

    /**
     * One thread goes to 50, 20 (toggled), 150, 120 (toggled), and so on. From 20 on, the due ticks are 20, 51, 120,
     * 151, and so on: any other tick would come of a word and a wallSafe that were never together.
     */
    @Test
    void shouldBeDueAsAtOneMomentWhenClockIsToggledMeanwhile() throws Exception {
        TickSequence sequence = new TickSequence(Shapes.tickTocking(4), Fence.unbounded(clock, 0, 1L << 38), 0);
        int rounds = 200_000;
        takeAt(50, sequence);
        takeAt(20, sequence);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<?> toggling = other.submit(() -> {
                for (long round = 1; round < rounds; round++) {
                    takeAt(100 * round + 50, sequence);
                    takeAt(100 * round + 20, sequence);
                }
            });
            long last = 0;
            while (!toggling.isDone()) {
                long due = sequence.dueTick(0);
                assertTrue(due >= last, last + " and then " + due);
                assertTrue(due % 100 == 20 || due % 100 == 51, () -> "due at " + due);
                last = due;
            }
            toggling.get();
        } finally {
            other.shutdownNow();
        }
        assertEquals(100L * (rounds - 1) + 20, sequence.dueTick(0));
    }

    private void takeAt(long tick, TickSequence sequence) {
        clock.setMicros(tick);
        sequence.take(1, 0);
    }

    /** A clock whose readings are told one by one. */
    private static final class ToldClock implements Clock {
        private final Queue<LongSupplier> readings;

        private ToldClock(Queue<LongSupplier> readings) {
            this.readings = readings;
        }

        @Override
        public long micros() {
            return readings.remove().getAsLong();
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("no test waits");
        }
    }

    /**
     * A clock at whose first reading another thread reads one tick more, and acts on that before this reading is used.
     */
    private static final class OvertakenClock implements Clock {
        private final long micros;
        private final Runnable overtaker;
        private int readings;

        private OvertakenClock(long micros, Runnable overtaker) {
            this.micros = micros;
            this.overtaker = overtaker;
        }

        @Override
        public long micros() {
            if (readings++ > 0) {
                return micros + 1;
            }
            overtaker.run();
            return micros;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("no test waits");
        }
    }
}
