package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.junit.jupiter.api.Test;

/**
 * Random shapes, clocks that jump anywhere and random batches, against a model that remembers every position on its
 * own. The model computes what may be taken from the set of taken positions alone. A failure names the seed that
 * repeats the run.
 */
final class TickSequenceModelTest {
    private static final int RUNS = 4_000;
    private static final int STEPS = 120;

    @Test
    void shouldTakeWhatTheModelAllowsWhenAnythingHappens() {
        long taken = 0;
        long toggled = 0;
        long refused = 0;
        long ones = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Run run = new Run(seed);
            run.play();
            taken += run.positions.size();
            toggled += run.toggles;
            refused += run.waits;
            ones += run.ones;
        }
        assertTrue(taken > 200_000 && toggled > 3_000 && refused > 100_000, taken + " " + toggled + " " + refused);
        assertTrue(ones > 20_000, "too few one by one");
    }

    private record Position(long tick, int toggle, int number) {}

    /** One run of one seed. */
    private static final class Run {
        private final String name;
        private final Random random;
        private final SequenceShape shape;
        private final ScriptedClock clock = new ScriptedClock(0);
        private final LateClock late = new LateClock(clock);
        private final Fence fence;
        private final TickSequence sequence;
        private final Set<Position> positions = new HashSet<>();
        private final Map<Integer, Long> highest = new HashMap<>();
        private long tick;
        private int toggle;
        private int nextNumber;
        private int used;
        private int toggles;
        private int waits;
        private int ones;

        private Run(long seed) {
            random = new Random(seed);
            shape = shape();
            name = "seed " + seed + ", " + shape;
            long floor = random.nextInt(3) == 0 ? 0 : random.nextInt(1_000);
            fence = Fence.unbounded(late, floor, floor + 200 + random.nextInt(2_000));
            nextNumber = shape.continues() ? random.nextInt(shape.capacity()) : 0;
            sequence = new TickSequence(shape, fence, nextNumber);
            tick = floor;
            clock.setMicros(floor - 20 + random.nextInt(60));
        }

        private SequenceShape shape() {
            int capacity = 1 + random.nextInt(random.nextBoolean() ? 6 : random.nextInt(10) == 0 ? 700 : 70);
            return switch (random.nextInt(4)) {
                case 0 -> Shapes.plain(capacity);
                case 1 -> Shapes.continuing(capacity);
                case 2 -> Shapes.tickTocking(capacity);
                default -> Shapes.spanning(1 + random.nextInt(20));
            };
        }

        private void play() {
            int steps = random.nextInt(STEPS);
            for (int i = 0; i < steps; i++) {
                moveClock();
                step();
                checkOnes();
            }
            close();
        }

        private void moveClock() {
            long now = clock.micros();
            long span = fence.ceilingTick() - fence.floorTick();
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> clock.setMicros(now + random.nextInt(3));
                case 3 -> clock.setMicros(now - random.nextInt(4));
                case 4 -> clock.setMicros(now + random.nextInt(60));
                case 5 -> clock.setMicros(now - random.nextInt(100));
                case 6 -> clock.setMicros(fence.floorTick() - 30 + random.nextLong(span / 2));
                default -> {} // stands still
            }
        }

        private void step() {
            long now = clock.micros();
            int wanted = 1 + random.nextInt(random.nextBoolean() ? 3 : 100);
            checkDue(now);
            if (now > fence.ceilingTick()) {
                clock.setMicros(fence.ceilingTick());
            } else if (shape.ticksAtOnce() > 1) {
                checkSpan(now, wanted);
            } else {
                check(now, wanted, random.nextBoolean() ? 0 : random.nextInt(shape.capacity()));
            }
        }

        /** The first tick from now on at which the model lets something be taken. */
        private void checkDue(long now) {
            long due = now;
            while (!mayTakeAt(due)) {
                due++;
            }
            assertEquals(due, sequence.dueTick(now), name);
        }

        private boolean mayTakeAt(long at) {
            if (shape.ticksAtOnce() > 1) {
                return at >= Math.max(fence.floorTick(), highest.getOrDefault(0, -1L) + 1);
            }
            return at > tick || (at == tick && used < shape.capacity()) || (at < tick && mayStepBack(at));
        }

        private void check(long now, int wanted, int leave) {
            boolean enters = now > tick || (now < tick && mayStepBack(now));
            boolean waits = now < tick && !enters && (shape.tickTocks() || used == 0);
            if (enters) {
                enter(now);
            }
            int expected = waits ? 0 : Math.max(0, Math.min(wanted, shape.capacity() - used - leave));
            Taken taken = sequence.take(wanted, leave);
            assertEquals(expected, taken.count(), name);
            if (expected > 0) {
                assertEquals(tick, taken.tick(), name);
                assertEquals(toggle, taken.toggle(), name);
                assertEquals(nextNumber, taken.first(), name);
                remember(taken);
                used += expected;
                nextNumber = (nextNumber + expected) % shape.capacity();
            }
            checkWait(now, wanted, taken);
        }

        /** The other timeline was used up to some highest tick; only above that and above the floor is it unused. */
        private boolean mayStepBack(long now) {
            return shape.tickTocks()
                    && now >= fence.floorTick()
                    && now > highest.getOrDefault(1 - toggle, fence.floorTick() - 1);
        }

        private void enter(long now) {
            if (now < tick) {
                toggle = 1 - toggle;
                toggles++;
            }
            tick = now;
            used = 0;
            nextNumber = shape.continues() ? nextNumber : 0;
        }

        /** Numbers one at a time, while the recent time is in the tick in use, near that, or anywhere. */
        private void checkOnes() {
            for (int i = random.nextInt(4); i > 0; i--) {
                late.recentMicros = switch (random.nextInt(4)) {
                    case 0 -> tick - 1 + random.nextInt(3);
                    case 1 -> fence.floorTick() - 30 + random.nextInt(2_000);
                    default -> tick;
                };
                checkOne();
            }
        }

        private void checkOne() {
            boolean takes =
                    shape.ticksAtOnce() == 1 && late.recentMicros == tick && used > 0 && used < shape.capacity();
            TickSequence.Snapshot before = sequence.snapshot();
            long word = sequence.takeOne();
            assertEquals(takes, word != TickSequence.NOT_NOW, name);
            if (takes) {
                Taken taken = new Taken(
                        null,
                        sequence.tick(word),
                        sequence.tick(word),
                        sequence.toggle(word),
                        sequence.number(word),
                        1,
                        0,
                        Taken.Until.NEXT_TICK);
                assertEquals(new Taken(null, tick, tick, toggle, nextNumber, 1, 0, Taken.Until.NEXT_TICK), taken, name);
                remember(taken);
                used++;
                nextNumber = (nextNumber + 1) % shape.capacity();
                ones++;
            } else {
                assertEquals(before, sequence.snapshot(), name);
            }
        }

        private void checkSpan(long now, int wanted) {
            long unused = Math.max(fence.floorTick(), highest.getOrDefault(0, -1L) + 1);
            int most = Math.min(wanted, shape.ticksAtOnce());
            boolean follows = wanted > 1 && now - unused < shape.ticksAtOnce();
            long first = follows ? unused : Math.max(unused, now - most + 1);
            Taken taken = sequence.take(wanted, 0);
            assertEquals(Math.max(0, Math.min(now - first + 1, most)), taken.count(), name);
            if (taken.count() > 0) {
                assertEquals(first, taken.tick(), name);
                remember(taken);
            }
            checkWait(now, wanted, taken);
        }

        private void remember(Taken taken) {
            long last = highest.getOrDefault(taken.toggle(), -1L);
            assertTrue(taken.tick() >= last, () -> name + ": " + taken + " after " + last);
            assertTrue(taken.tick() >= fence.floorTick(), () -> name + ": " + taken);
            for (int i = 0; i < taken.count(); i++) {
                Position position = shape.ticksAtOnce() > 1
                        ? new Position(taken.tick() + i, taken.toggle(), 0)
                        : new Position(taken.tick(), taken.toggle(), (taken.first() + i) % shape.capacity());
                assertTrue(position.tick() <= fence.ceilingTick(), () -> name + ": " + position);
                assertTrue(positions.add(position), () -> name + ": twice " + position);
                highest.merge(taken.toggle(), position.tick(), Math::max);
            }
        }

        /** A caller that waits as long as it is told gets at least one number. */
        private void checkWait(long now, int wanted, Taken taken) {
            if (taken.count() == wanted) {
                return;
            }
            waits++;
            assertTrue(taken.waitNanos() > 0, () -> name + ": " + taken);
            assertEquals(until(now, wanted, taken), taken.until(), () -> name + ": " + taken);
            assertEquals(!positions.isEmpty(), sequence.hasIssued(), name);
            if (random.nextInt(4) == 0 && now + taken.waitNanos() / 1_000 <= fence.ceilingTick()) {
                clock.park(taken.waitNanos());
                long later = clock.micros();
                int before = positions.size();
                if (shape.ticksAtOnce() > 1) {
                    checkSpan(later, 1);
                } else {
                    check(later, 1, 0);
                }
                assertEquals(before + 1, positions.size(), name);
            }
        }

        /**
         * What such a wait is for: where the clock was never put back, it is for one tick, or for those that are
         * gathered.
         */
        private Taken.Until until(long now, int wanted, Taken taken) {
            if (now < fence.floorTick() && positions.isEmpty()) {
                return Taken.Until.FLOOR;
            }
            int gathered = taken.count() > 0 ? 1 : Math.max(1, Math.min(wanted, shape.ticksAtOnce() / 2));
            long ticks = taken.waitNanos() / (shape.unit().tickMicros() * 1_000);
            return ticks > gathered ? Taken.Until.CLOCK_CATCHES_UP : Taken.Until.NEXT_TICK;
        }

        private void close() {
            long last = highest.values().stream().max(Long::compare).orElse(fence.floorTick() - 1);
            if (random.nextBoolean()) {
                overshoot();
            }
            assertEquals(last, sequence.close(), name);
            checkDue(fence.floorTick());
            clock.setMicros(fence.ceilingTick());
            assertThrows(FencedException.class, () -> sequence.take(1, 0), name);
            late.recentMicros = tick;
            assertEquals(TickSequence.NOT_NOW, sequence.takeOne(), name);
            assertEquals(last, sequence.close(), name);
        }

        private void overshoot() {
            clock.setMicros(fence.ceilingTick() + 1 + random.nextInt(1_000_000));
            FencedException thrown = assertThrows(FencedException.class, () -> sequence.take(1, 0), name);
            assertEquals(FenceReason.CEILING_PASSED, thrown.reason(), name);
        }
    }

    /** A scripted clock whose recent time is whatever the run says. */
    private static final class LateClock implements Clock {
        private final Clock exact;
        private long recentMicros;

        private LateClock(Clock exact) {
            this.exact = exact;
        }

        @Override
        public long micros() {
            return exact.micros();
        }

        @Override
        public long nanos() {
            return exact.nanos();
        }

        @Override
        public long recentMicros(long nanos) {
            return recentMicros;
        }

        @Override
        public void park(long nanos) {
            exact.park(nanos);
        }
    }
}
