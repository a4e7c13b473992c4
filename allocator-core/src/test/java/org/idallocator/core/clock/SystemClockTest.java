package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SystemClockTest {
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private final Clock clock = Clock.system();

    @Test
    void shouldBeCloseToInstantWhenReadInMicroseconds() {
        Instant read = Instant.EPOCH.plusNanos(clock.micros() * 1_000);

        assertTrue(Duration.between(read, Instant.now()).abs().compareTo(TOLERANCE) < 0, () -> "read " + read);
    }

    @Test
    void shouldNotStepBackWhenMonotonic() {
        long before = clock.nanos();
        clock.park(1_000);

        assertTrue(clock.nanos() - before >= 0);
    }

    @Test
    void shouldReturnAtOnceWithFlagWhenInterruptedInPark() {
        Thread.currentThread().interrupt();
        long before = clock.nanos();
        clock.park(TOLERANCE.toNanos());

        assertTrue(clock.nanos() - before < TOLERANCE.toNanos());
        assertTrue(Thread.interrupted());
    }
}
