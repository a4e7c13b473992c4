package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every branch, in one thread. Ticks are microseconds: {@code at(7)} is tick 7, and a wait of one tick is 1000 ns. */
final class TickSequenceTest {
    private static final long FLOOR = 10;
    private static final long CEILING = 100_000;
    private static final long TICK_NANOS = 1_000;

    private final ScriptedClock clock = new ScriptedClock(0);
    private final Fence fence = Fence.unbounded(clock, FLOOR, CEILING);

    // --- Counting within ticks.

    @Test
    void shouldCountUpWhenInOneTick() {
        TickSequence sequence = of(Shapes.plain(4));

        assertEquals(taken(FLOOR, 0, 0, 1), at(FLOOR, sequence, 1));
        assertEquals(taken(FLOOR, 0, 1, 2), at(FLOOR, sequence, 2));
    }

    @Test
    void shouldStartAtZeroWhenTickIsNew() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 3);

        assertEquals(taken(21, 0, 0, 1), at(21, sequence, 1));
        assertEquals(taken(30, 0, 0, 1), at(30, sequence, 1));
    }

    @Test
    void shouldGoOnModuloCapacityWhenShapeContinues() {
        TickSequence sequence = new TickSequence(Shapes.continuing(4), fence, 3);

        assertEquals(taken(20, 0, 3, 2), at(20, sequence, 2));
        assertEquals(taken(20, 0, 1, 1), at(20, sequence, 1));
        assertEquals(taken(21, 0, 2, 4), at(21, sequence, 4));
        assertEquals(taken(22, 0, 2, 1), at(22, sequence, 1));
    }

    @Test
    void shouldTakeWhatIsLeftWhenTickHoldsLess() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 1);

        assertEquals(taken(20, 0, 1, 3), at(20, sequence, 1_000_000));
    }

    @Test
    void shouldLeaveNumbersToOthersWhenTold() {
        TickSequence sequence = of(Shapes.plain(4));
        clock.setMicros(20);

        assertEquals(taken(20, 0, 0, 3), sequence.take(1_000_000, 1));
        assertEquals(Taken.none(TICK_NANOS, false), sequence.take(1, 1));
        assertEquals(taken(20, 0, 3, 1), sequence.take(1, 0));
    }

    @Test
    void shouldTakeNothingWhenMoreIsToBeLeftThanTheTickHolds() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 1);
        TickSequence.Snapshot before = sequence.snapshot();
        clock.setMicros(21);

        assertEquals(Taken.none(TICK_NANOS, false), sequence.take(1, Integer.MAX_VALUE));
        assertEquals(before, sequence.snapshot());
    }

    /** A tick of four would give five. */
    @Test
    void shouldRefuseToLeaveFewerThanNone() {
        TickSequence sequence = of(Shapes.plain(4));
        TickSequence.Snapshot before = sequence.snapshot();

        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> sequence.take(1_000_000, -1));

        assertEquals("leave must be 0..2147483647: -1", thrown.getMessage());
        assertEquals(before, sequence.snapshot());
    }

    @Test
    void shouldWaitForNextTickWhenTickIsFull() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 4);

        assertEquals(Taken.none(TICK_NANOS, false), at(20, sequence, 1));
        assertEquals(taken(21, 0, 0, 1), at(21, sequence, 1));
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldLeaveStateWhenFewerThanOneAreWanted(SequenceShape shape) {
        TickSequence sequence = of(shape);
        at(20, sequence, 1);
        TickSequence.Snapshot before = sequence.snapshot();

        for (int wanted : new int[] {0, -1, Integer.MIN_VALUE}) {
            IllegalArgumentException thrown =
                    assertThrows(IllegalArgumentException.class, () -> at(21, sequence, wanted));
            assertEquals("count must be 1 or more: " + wanted, thrown.getMessage());
        }
        assertEquals(before, sequence.snapshot());
    }

    // --- One number.

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldTakeOneAsTakeDoesWhenTickIsInUse(SequenceShape shape) {
        TickSequence one = of(shape);
        TickSequence other = of(shape);
        at(20, one, 1);
        at(20, other, 1);

        if (shape.capacity() == 1) {
            assertEquals(TickSequence.NOT_NOW, one.takeOne());
        } else {
            Taken expected = at(20, other, 1);
            assertWord(expected.tick(), expected.toggle(), expected.first(), one, one.takeOne());
        }
        assertEquals(other.snapshot(), one.snapshot());
    }

    @Test
    void shouldReadTickToggleAndNumberOfWordWhenOneIsTaken() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 3);
        at(20, sequence, 2);

        assertWord(20, 1, 2, sequence, sequence.takeOne());
        assertEquals(new TickSequence.Snapshot(20, 3, 30, 1), sequence.snapshot());
        assertWord(20, 1, 3, sequence, sequence.takeOne());
        assertEquals(TickSequence.NOT_NOW, sequence.takeOne(), "used up");
        assertEquals(30, sequence.close());
    }

    @Test
    void shouldGoOnModuloCapacityWhenOneIsTaken() {
        TickSequence sequence = new TickSequence(Shapes.continuing(4), fence, 2);
        at(20, sequence, 1);

        assertWord(20, 0, 3, sequence, sequence.takeOne());
        assertWord(20, 0, 0, sequence, sequence.takeOne());
        assertEquals(taken(21, 0, 1, 1), at(21, sequence, 1));
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldTakeNoneWhenRecentTimeIsInAnotherTick(SequenceShape shape) {
        TickSequence sequence = of(shape);
        at(20, sequence, 1);
        TickSequence.Snapshot before = sequence.snapshot();

        for (long tick : new long[] {19, 21, FLOOR - 1, CEILING + 1, 0, -5}) {
            clock.setMicros(tick);
            assertEquals(TickSequence.NOT_NOW, sequence.takeOne(), () -> "at " + tick);
        }
        assertEquals(before, sequence.snapshot());
        assertNull(fence.fenced(), "only take moves on, and trips");
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldTakeNoneWhenTickIsUnused(SequenceShape shape) {
        TickSequence sequence = of(shape);
        clock.setMicros(FLOOR);

        assertEquals(TickSequence.NOT_NOW, sequence.takeOne());
        assertEquals(FLOOR - 1, sequence.close());
    }

    /** A wall clock that was put back, and whoever took the sample of before still says tick 30. */
    @Test
    void shouldStayOnItsTimelineWhenRecentTimeIsAheadOfClockThatWasPutBack() {
        LateClock late = new LateClock();
        TickSequence sequence = new TickSequence(Shapes.tickTocking(4), Fence.unbounded(late, FLOOR, CEILING), 0);
        late.micros = 30;
        late.recentMicros = 30;
        sequence.take(1, 0);
        late.micros = 20;

        assertWord(30, 0, 1, sequence, sequence.takeOne());
        assertEquals(taken(20, 1, 0, 1), sequence.take(1, 0));
        assertEquals(TickSequence.NOT_NOW, sequence.takeOne(), "30 is not the tick in use any more");
        late.recentMicros = 20;
        assertWord(20, 1, 1, sequence, sequence.takeOne());
        assertEquals(new TickSequence.Snapshot(20, 2, 30, 1), sequence.snapshot());
    }

    @Test
    void shouldTakeNoneWhenDeadlineHasPassed() {
        TickSequence sequence = new TickSequence(Shapes.plain(4), new Fence(clock, FLOOR, CEILING, 5_000), 0);
        at(20, sequence, 1);
        clock.park(5_000);
        clock.setMicros(20);

        FencedException thrown = assertThrows(FencedException.class, sequence::takeOne);

        assertEquals(FenceReason.DEADLINE_PASSED, thrown.reason());
        assertEquals(1, sequence.snapshot().used());
    }

    @Test
    void shouldTakeNoneWhenFencedAndSampleIsOld() {
        LateClock late = new LateClock();
        Fence open = Fence.unbounded(late, FLOOR, CEILING);
        TickSequence sequence = new TickSequence(Shapes.plain(4), open, 0);
        late.micros = 20;
        late.recentMicros = 20;
        sequence.take(1, 0);
        FencedException tripped = open.trip(FenceReason.SESSION_LOST, "gone");

        assertEquals(tripped, assertThrows(FencedException.class, sequence::takeOne));
        assertEquals(1, sequence.snapshot().used());
    }

    @Test
    void shouldTakeNoneWhenClosed() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 1);
        sequence.close();

        assertEquals(TickSequence.NOT_NOW, sequence.takeOne());
        assertEquals(20, sequence.close());
    }

    private static void assertWord(long tick, int toggle, int number, TickSequence sequence, long word) {
        assertNotEquals(TickSequence.NOT_NOW, word);
        assertEquals(tick, sequence.tick(word));
        assertEquals(toggle, sequence.toggle(word));
        assertEquals(number, sequence.number(word));
    }

    // --- A clock that is behind, without tick-tock.

    @Test
    void shouldHoldLastTickWhenClockStepsBack() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 2);

        assertEquals(taken(20, 0, 2, 1, 6), at(15, sequence, 1));
        assertEquals(taken(20, 0, 3, 1, 20), at(1, sequence, 1));
        assertEquals(Taken.none(6 * TICK_NANOS, false), at(15, sequence, 1));
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldCoolWhenClockIsBelowFloor(SequenceShape shape) {
        TickSequence sequence = of(shape);

        assertEquals(Taken.none(3 * TICK_NANOS, true), at(FLOOR - 3, sequence, 1));
        assertEquals(FLOOR, at(FLOOR, sequence, 1).tick());
    }

    // --- A clock that is behind, with tick-tock.

    @Test
    void shouldToggleWhenClockStepsBack() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 3);

        assertEquals(taken(20, 1, 0, 1), at(20, sequence, 1));
        assertEquals(new TickSequence.Snapshot(20, 1, 30, 1), sequence.snapshot());
        assertEquals(taken(20, 1, 1, 3), at(20, sequence, 4));
    }

    @Test
    void shouldStayToggledWhenClockCatchesUp() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 1);
        at(20, sequence, 1);

        assertEquals(taken(30, 1, 0, 1), at(30, sequence, 1));
        assertEquals(taken(31, 1, 0, 1), at(31, sequence, 1));
    }

    @Test
    void shouldToggleBackWhenAboveWallSafe() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 1);
        at(20, sequence, 1);
        at(40, sequence, 1);

        assertEquals(taken(31, 0, 0, 1), at(31, sequence, 1));
        assertEquals(new TickSequence.Snapshot(31, 1, 40, 2), sequence.snapshot());
    }

    @Test
    void shouldWaitWhenNotAboveWallSafe() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 1);
        at(20, sequence, 1);

        assertEquals(Taken.none(5 * TICK_NANOS, false), at(15, sequence, 1), "until back at 20, this side's");
        at(40, sequence, 1);
        assertEquals(Taken.none(TICK_NANOS, false), at(30, sequence, 1), "until 31, above the other side's");
    }

    @Test
    void shouldNotStepBackWhenBelowFloor() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(FLOOR + 1, sequence, 1);

        assertEquals(Taken.none(2 * TICK_NANOS, true), at(FLOOR - 2, sequence, 1));
        assertEquals(taken(FLOOR, 1, 0, 1), at(FLOOR, sequence, 1));
        assertEquals(Taken.none(TICK_NANOS, true), at(FLOOR - 1, sequence, 1));
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

    // --- The due tick.

    @Test
    void shouldBeDueFromTickInUseOnWhenClockIsPutBackAndSomeIsLeft() {
        TickSequence sequence = of(Shapes.plain(4));
        at(3_600, sequence, 2);

        assertEquals(3_600, sequence.dueTick(20), "also if what is left of it can be had before");
        assertEquals(3_600, sequence.dueTick(3_600));
        assertEquals(2, at(20, sequence, 4).count());
        assertEquals(3_601, sequence.dueTick(20));
        assertEquals(3_601, sequence.dueTick(3_600));
    }

    @Test
    void shouldBeDueAtOnceWhenItCanToggle() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(20, sequence, 4);
        at(3_600, sequence, 4);

        assertEquals(21, sequence.dueTick(21));
        assertEquals(FLOOR, sequence.dueTick(FLOOR - 3), "not below the floor");
    }

    @Test
    void shouldBeDueWhereClockWasWhenItHasToggledAlready() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(3_600, sequence, 1);
        at(20, sequence, 1);
        at(3_600, sequence, 1);

        assertEquals(3_600, sequence.dueTick(21));
        at(3_600, sequence, 4);
        assertEquals(3_601, sequence.dueTick(21));
        at(4_000, sequence, 1);
        assertEquals(3_601, sequence.dueTick(21), "above what the other side used");
    }

    /**
     * One thread goes to 50, 20 (toggled), 150, 120 (toggled), and so on. From 20 on, the due ticks are 20, 51, 120, 151, and so
     * on: any other tick would come of a word and a wallSafe that were never together.
     */
    @Test
    void shouldBeDueAsAtOneMomentWhenClockIsToggledMeanwhile() throws Exception {
        TickSequence sequence = new TickSequence(Shapes.tickTocking(4), Fence.unbounded(clock, 0, 1L << 38), 0);
        int rounds = 200_000;
        at(50, sequence, 1);
        at(20, sequence, 1);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<?> toggling = other.submit(() -> {
                for (long round = 1; round < rounds; round++) {
                    at(100 * round + 50, sequence, 1);
                    at(100 * round + 20, sequence, 1);
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

    // --- Several ticks at once.

    @Test
    void shouldTakeTicksGoneByWhenSpanning() {
        TickSequence sequence = of(Shapes.spanning(8));

        assertEquals(taken(15, 0, 0, 5, 1), at(19, sequence, 5), "the latest five");
        assertEquals(taken(20, 0, 0, 2, 1), at(21, sequence, 5), "no tick twice");
        assertEquals(taken(93, 0, 0, 8, 1), at(100, sequence, 50), "no more than a take spans");
        assertEquals(taken(105, 0, 0, 1, 1), at(105, sequence, 1), "one is the latest");
    }

    @Test
    void shouldLeaveNoTickOutWhenBatchesFollowEachOther() {
        TickSequence sequence = of(Shapes.spanning(8));
        at(100, sequence, 8);

        assertEquals(taken(101, 0, 0, 3, 0), at(108, sequence, 3), "the first that nobody has");
        assertEquals(taken(110, 0, 0, 3, 1), at(112, sequence, 3), "nobody came for as many as a take spans");
        assertEquals(taken(115, 0, 0, 1, 1), at(115, sequence, 1), "one is the latest");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "3, 3", "4, 4", "5, 4", "100, 4"})
    void shouldWaitForHalfOfWhatATakeSpans(int wanted, int ticks) {
        for (SequenceShape shape : List.of(Shapes.spanning(8), Shapes.plain(64), Shapes.spanning(1))) {
            TickSequence sequence = of(shape);
            at(20, sequence, 64);

            long gathered = shape.ticksAtOnce() == 8 ? ticks : 1;
            assertEquals(Taken.none(gathered * TICK_NANOS, false), at(20, sequence, wanted));
        }
    }

    @Test
    void shouldTakeNoTickBelowFloorWhenSpanning() {
        TickSequence sequence = of(Shapes.spanning(8));

        assertEquals(taken(FLOOR, 0, 0, 3, 1), at(FLOOR + 2, sequence, 8));
    }

    @Test
    void shouldTakeOneWhenSpanningOnTheFloor() {
        TickSequence sequence = of(Shapes.spanning(8));

        assertEquals(taken(FLOOR, 0, 0, 1, 1), at(FLOOR, sequence, 8));
        assertEquals(Taken.none(TICK_NANOS, false), at(FLOOR, sequence, 1));
    }

    @Test
    void shouldWaitWhenSpanningAndClockStepsBack() {
        TickSequence sequence = of(Shapes.spanning(8));
        at(20, sequence, 1);

        assertEquals(Taken.none(6 * TICK_NANOS, false), at(15, sequence, 1));
    }

    // --- Bounds.

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldLeaveStateWhenClockIsAboveCeiling(SequenceShape shape) {
        TickSequence sequence = of(shape);
        at(20, sequence, 1);
        TickSequence.Snapshot before = sequence.snapshot();

        FencedException thrown = assertThrows(FencedException.class, () -> at(CEILING + 1, sequence, 1));

        assertEquals(FenceReason.CEILING_PASSED, thrown.reason());
        assertEquals(before, sequence.snapshot());
        assertEquals(20, sequence.close());
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldIssueWhenClockIsAtCeiling(SequenceShape shape) {
        assertEquals(CEILING, at(CEILING, of(shape), 1).tick());
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldIssueLastTickWhenFieldIsUsedUp(SequenceShape shape) {
        long last = shape.unit().maxTick();
        TickSequence sequence = new TickSequence(shape, Fence.unbounded(clock, 0, last), 0);

        assertEquals(last, at(last, sequence, 1).tick());
        assertThrows(FencedException.class, () -> at(last + 1, sequence, 1));
        assertEquals(last, sequence.close());
    }

    @Test
    void shouldIssueNothingWhenFenced() {
        TickSequence sequence = of(Shapes.plain(4));
        at(20, sequence, 1);
        FencedException tripped = fence.trip(FenceReason.SESSION_LOST, "gone");

        assertEquals(tripped, assertThrows(FencedException.class, () -> at(20, sequence, 1)));
        assertEquals(20, sequence.close());
    }

    // --- Restoring.

    @Test
    void shouldGoOnWhenRestoredInItsTick() {
        TickSequence sequence = restored(new TickSequence.Snapshot(30, 3, 25, 3));

        assertEquals(taken(30, 1, 3, 1), at(30, sequence, 2));
        assertEquals(taken(26, 0, 0, 1), at(26, sequence, 1));
        assertEquals(new TickSequence.Snapshot(26, 1, 30, 4), sequence.snapshot());
    }

    @Test
    void shouldStayAboveFloorWhenRestoredBelowIt() {
        TickSequence sequence = restored(new TickSequence.Snapshot(FLOOR - 5, 3, FLOOR - 4, 1));

        assertEquals(Taken.none(TICK_NANOS, true), at(FLOOR - 1, sequence, 1));
        assertEquals(taken(FLOOR, 1, 0, 4), at(FLOOR, sequence, 4));
    }

    // --- Closing.

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldReturnOneBelowFloorWhenClosedUnused(SequenceShape shape) {
        TickSequence sequence = of(shape);
        at(FLOOR - 1, sequence, 1);

        assertEquals(FLOOR - 1, sequence.close());
    }

    @Test
    void shouldReturnHighestOfBothSidesWhenClosed() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 1);
        at(20, sequence, 1);

        assertEquals(30, sequence.close());
    }

    @ParameterizedTest
    @MethodSource("org.idallocator.core.generator.Shapes#all")
    void shouldIssueNothingWhenClosed(SequenceShape shape) {
        TickSequence sequence = of(shape);
        at(30, sequence, 1);
        assertEquals(30, sequence.close());

        FencedException thrown = assertThrows(FencedException.class, () -> at(40, sequence, 1));

        assertEquals(FenceReason.RELEASED, thrown.reason());
        assertEquals("the slot was released (its generator is closed)", thrown.getMessage());
    }

    @Test
    void shouldReturnTheSameWhenClosedAgain() {
        TickSequence sequence = of(Shapes.plain(4));
        at(30, sequence, 1);

        assertEquals(30, sequence.close());
        assertEquals(30, sequence.close());
    }

    @Test
    void shouldLeaveFenceAloneWhenClosed() {
        TickSequence sequence = of(Shapes.plain(4));
        sequence.close();
        sequence.snapshot();

        assertNull(fence.fenced());
    }

    @Test
    void shouldStillSayWhatWasUsedWhenClosed() {
        TickSequence sequence = of(Shapes.tickTocking(4));
        at(30, sequence, 3);
        at(20, sequence, 2);
        sequence.close();

        assertEquals(new TickSequence.Snapshot(20, 2, 30, 1), sequence.snapshot());
    }

    private TickSequence restored(TickSequence.Snapshot from) {
        return new TickSequence(Shapes.tickTocking(4), fence, 0, from);
    }

    private TickSequence of(SequenceShape shape) {
        return new TickSequence(shape, fence, 0);
    }

    private Taken at(long tick, TickSequence sequence, int wanted) {
        clock.setMicros(tick);
        return sequence.take(wanted, 0);
    }

    /** What is taken when the rest must wait for the next tick. */
    private static Taken taken(long tick, int toggle, int first, int count) {
        return taken(tick, toggle, first, count, 1);
    }

    private static Taken taken(long tick, int toggle, int first, int count, int waitTicks) {
        return new Taken(null, tick, toggle, first, count, waitTicks * TICK_NANOS, false);
    }

    /** A clock whose times, and the wall time of its sample, are what the test says. */
    private static final class LateClock implements Clock {
        private long micros;
        private long nanos;
        private long recentMicros;

        @Override
        public long micros() {
            return micros;
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long recentMicros(long nanos) {
            return recentMicros;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("no test waits");
        }
    }

    /** A clock at whose first reading another thread reads one tick more, and acts on that before this reading is used. */
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
