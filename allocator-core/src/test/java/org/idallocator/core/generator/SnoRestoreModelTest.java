package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;
import org.junit.jupiter.api.Test;

/**
 * Generators that draw, close, are written as JSON and are restored, again and again, under a clock that jumps
 * anywhere. A set of all their IDs shows any ID drawn twice. A failure names the seed that repeats the run.
 */
final class SnoRestoreModelTest {
    private static final int RUNS = 1_000;
    private static final int STEPS = 150;
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void shouldRepeatNothingWhenRestoredAgainAndAgain() {
        long ids = 0;
        long restoredAhead = 0;
        for (long seed = 0; seed < RUNS; seed++) {
            Run run = new Run(seed);
            run.play();
            ids += run.ids.size();
            restoredAhead += run.restoredAhead;
        }
        assertTrue(ids > 50_000 && restoredAhead > 5_000, ids + " IDs, restored ahead of the clock " + restoredAhead);
    }

    /** One run of one seed. */
    private static final class Run {
        private final long seed;
        private final Random random;
        private final ScriptedClock clock = new ScriptedClock(0);
        private final Set<Sno> ids = new HashSet<>();
        private SnoGenerator generator;
        private int restoredAhead;

        private Run(long seed) {
            this.seed = seed;
            random = new Random(seed);
            SnoRange range = new SnoRange(8, 8 + SnoRange.SMALLEST - 1 + random.nextInt(12));
            setUnits(random.nextInt(100));
            generator = SnoGenerator.restore(SnoSnapshot.fresh(SnoPartition.of(7), range), clock);
        }

        private void play() {
            for (int i = 0; i < STEPS; i++) {
                moveClock();
                if (random.nextInt(6) == 0) {
                    restore();
                } else {
                    draw(1 + random.nextInt(random.nextBoolean() ? 2 : 20));
                }
            }
        }

        private void moveClock() {
            switch (random.nextInt(8)) {
                case 0, 1 -> setUnits(units() + random.nextInt(3));
                case 2 -> setUnits(units() - random.nextInt(3));
                case 3 -> setUnits(units() + random.nextInt(30));
                case 4 -> setUnits(units() - random.nextInt(30));
                case 5 -> setUnits(random.nextInt(300));
                default -> {} // stands still
            }
        }

        private void draw(int count) {
            Draw.of(generator, count, Variant.NONE, (high, low) -> {
                Sno id = new Sno(high, low);
                assertTrue(ids.add(id), () -> "seed " + seed + ": twice " + id.timestampUnits() + " " + id);
            });
        }

        private void restore() {
            long highest = generator.close();
            SnoSnapshot last = generator.snapshot();
            assertEquals(last, generator.snapshot(), () -> "seed " + seed);
            moveClock();
            restoredAhead += units() < last.wallHi() ? 1 : 0;
            SnoSnapshot from = written(random.nextInt(4) == 0 ? asTheOriginalWrites(last) : last);
            generator = random.nextInt(4) == 0
                    ? SnoGenerator.restore(
                            from, Fence.unbounded(clock, Math.max(0, highest + 1 - random.nextInt(20)), 1_000_000))
                    : SnoGenerator.restore(from, clock);
        }

        private static SnoSnapshot asTheOriginalWrites(SnoSnapshot ours) {
            boolean elsewhere = ours.now() != 0 && ours.now() != ours.wallHi();
            return new SnoSnapshot(
                    ours.partition(),
                    ours.sequenceMin(),
                    ours.sequenceMax(),
                    elsewhere ? ours.sequenceMin() : ours.sequence(),
                    ours.now(),
                    ours.wallHi(),
                    ours.wallSafe(),
                    ours.drifts());
        }

        private static SnoSnapshot written(SnoSnapshot snapshot) {
            try {
                return JSON.readValue(JSON.writeValueAsString(snapshot), SnoSnapshot.class);
            } catch (JsonProcessingException e) {
                throw new AssertionError(e);
            }
        }

        private long units() {
            return SnoGenerator.UNIT.tickAt(clock.micros());
        }

        private void setUnits(long units) {
            clock.setMicros(SnoGenerator.UNIT.microsAt(Math.max(0, units)));
        }
    }
}
