package org.idallocator.core.generator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One ID a millisecond. */
final class EightByteGeneratorTest {
    private static final long NOW_MS = 1_000_000;

    private final ScriptedClock clock = new ScriptedClock(NOW_MS * 1_000);
    private final Fence fence = Fence.unbounded(clock, 0, EightByteGenerator.UNIT.maxTick());
    private final EightByteGenerator generator = new EightByteGenerator(7, 3, true, fence);
    private final IdGenerator<EightByteId> waiting =
            new IdGenerator<>(() -> generator, EightByteId::new, EightByteGenerator.UNIT, Duration.ofSeconds(1), clock);

    @Test
    void shouldGiveOneWhenManyAreWantedInAMillisecond() {
        assertEquals(
                new Draw(1, 1_000_000, Taken.Until.NEXT_TICK), Draw.of(generator, 64, Variant.NONE, (high, low) -> {}));
        assertEquals(
                new Draw(0, 1_000_000, Taken.Until.NEXT_TICK), Draw.of(generator, 1, Variant.NONE, (high, low) -> {}));
    }

    @Test
    void shouldBeSequenceZeroOfConsecutiveMillisecondsWhenBatchIsDrawn() {
        List<EightByteId> ids = batch(200);

        for (int i = 0; i < ids.size(); i++) {
            assertEquals(EightByteId.of(NOW_MS + i, 0, 7, 3), ids.get(i));
        }
        assertEquals(199_000_000, clock.nanos());
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "255, 255", "256, 257", "257, 257", "512, 513", "25600, 25601"})
    void shouldPassMillisecondOverWhenItsFirstByteIsThatOfTheLast(int later, int issued) {
        waiting.next();
        clock.setMicros((NOW_MS + later) * 1_000);

        assertEquals(NOW_MS + issued, waiting.next().timestampMs());
    }

    @Test
    void shouldBeDueAfterTickThatIsPassedOver() {
        waiting.next();

        assertEquals(NOW_MS + 1, generator.dueTick(NOW_MS));
        assertEquals(NOW_MS + 255, generator.dueTick(NOW_MS + 255));
        assertEquals(NOW_MS + 257, generator.dueTick(NOW_MS + 256));
    }

    @Test
    void shouldNeverStartWithTheSameByteWhenClockJumps() {
        Random random = new Random(3);
        byte last = waiting.next().toBytes()[0];
        for (int i = 0; i < 5_000; i++) {
            clock.setMicros(clock.micros() + 1_000L * (random.nextBoolean() ? 256 : random.nextInt(-3, 1_000)));
            byte first = waiting.next().toBytes()[0];
            assertNotEquals(last, first);
            last = first;
        }
    }

    @Test
    void shouldDifferInFirstByteInOrderOfTimeWhenThreadsMeet() throws Exception {
        Clock leaping = new LeapingClock();
        Fence open = Fence.unbounded(leaping, 0, EightByteGenerator.UNIT.maxTick());
        EightByteGenerator shared = new EightByteGenerator(7, 3, true, open);
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<EightByteId> ids = new ArrayList<>();
        try {
            List<Future<List<EightByteId>>> drawers = Stream.generate(() -> pool.submit(() -> some(shared)))
                    .limit(4)
                    .toList();
            for (Future<List<EightByteId>> drawer : drawers) {
                ids.addAll(drawer.get());
            }
        } finally {
            pool.shutdownNow();
        }
        ids.sort(Comparator.comparingLong(EightByteId::timestampMs));

        assertTrue(ids.size() > 10_000, "too few to mean anything");
        for (int i = 1; i < ids.size(); i++) {
            assertNotEquals(ids.get(i - 1).toBytes()[0], ids.get(i).toBytes()[0]);
            assertEquals(0, ids.get(i).sequence());
        }
    }

    private static List<EightByteId> some(Generator from) {
        List<EightByteId> ids = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            Draw.of(from, 1, Variant.NONE, (high, low) -> ids.add(new EightByteId(high, low)));
        }
        return ids;
    }

    /** Each reading is 128 ms later, so that of three in a row the first and the last have the same first byte. */
    private static final class LeapingClock implements Clock {
        private final AtomicLong readings = new AtomicLong();

        @Override
        public long micros() {
            return readings.incrementAndGet() * 128_000;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("never sleeps");
        }
    }

    private List<EightByteId> batch(int count) {
        List<EightByteId> ids = new ArrayList<>();
        waiting.next(count, (high, low) -> ids.add(new EightByteId(high, low)));
        return ids;
    }
}
