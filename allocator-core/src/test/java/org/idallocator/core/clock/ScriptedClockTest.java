package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ScriptedClockTest {
    private final ScriptedClock clock = new ScriptedClock(5);

    @Test
    void shouldStandStillWhenOnlyRead() {
        assertEquals(5, clock.micros());
        assertEquals(5, clock.micros());
        assertEquals(0, clock.nanos());
    }

    @Test
    void shouldMoveBothTimesWhenParked() {
        clock.park(1_001);

        assertEquals(1_001, clock.nanos());
        assertEquals(7, clock.micros());
    }

    @Test
    void shouldMoveBothTimesWhenAdvanced() {
        clock.advance(Duration.ofMillis(3));

        assertEquals(3_000_000, clock.nanos());
        assertEquals(3_005, clock.micros());
    }

    @Test
    void shouldKeepMonotonicTimeWhenWallTimeJumps() {
        clock.setMicros(-1);

        assertEquals(-1, clock.micros());
        assertEquals(0, clock.nanos());
    }
}
