package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.idallocator.core.clock.SystemClock.RecentWall;
import org.junit.jupiter.api.Test;

/** Each test says what the clocks read, one reading after the other; a reading that is not foreseen fails it. */
final class RecentWallTest {
    private static final long MILLI = 1_000_000;

    private final Deque<Long> micros = new ArrayDeque<>(List.of(500L));
    private final Deque<Long> nanos = new ArrayDeque<>(List.of(-100L));
    private final RecentWall wall = new RecentWall(micros::remove, nanos::remove);

    @Test
    void shouldGoOnFromSampleWhenItIsFresh() {
        assertEquals(500, wall.micros(-100));
        assertEquals(500, wall.micros(899));
        assertEquals(501, wall.micros(900));
        assertEquals(1_500, wall.micros(MILLI - 100));
    }

    @Test
    void shouldReadWallClockWhenSampleIsOld() {
        micros.add(77L);
        nanos.add(2 * MILLI + 5);

        assertEquals(77, wall.micros(2 * MILLI), "also where it was put back");
        assertEquals(77 + 3, wall.micros(2 * MILLI + 3_005), "the new sample");
    }

    @Test
    void shouldReadWallClockWhenTimeIsBeforeTheSample() {
        micros.add(499L);
        nanos.add(0L);

        assertEquals(499, wall.micros(-101));
    }

    @Test
    void shouldKeepNoSampleWhenStoppedBetweenTheClocks() {
        micros.addAll(List.of(9_000L, 10_000L));
        nanos.addAll(List.of(9 * MILLI, 9 * MILLI + 1_000));

        assertEquals(9_000, wall.micros(2 * MILLI), "read, and then stopped for 7 ms");
        assertEquals(10_000, wall.micros(9 * MILLI), "read anew");
        assertEquals(10_001, wall.micros(9 * MILLI + 2_000));
    }

    @Test
    void shouldGoOnFromSampleWhenMonotonicTimeWraps() {
        micros.add(8L);
        nanos.add(Long.MAX_VALUE);

        wall.micros(Long.MAX_VALUE - 1);

        assertEquals(8 + 2, wall.micros(Long.MAX_VALUE + 2_000));
    }
}
