package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.junit.jupiter.api.Test;

final class SystemClockTest {
    private static final Duration TOLERANCE = Duration.ofSeconds(5);

    private final Clock clock = Clock.system();

    @Test
    void shouldBeCloseToInstantWhenReadInMicroseconds() {
        Instant before = Instant.now();
        Instant read = Instant.EPOCH.plusNanos(clock.micros() * 1_000);
        Instant after = Instant.now();

        assertTrue(
                read.isAfter(before.minus(TOLERANCE)) && read.isBefore(after.plus(TOLERANCE)),
                () -> "read " + read + " between " + before + " and " + after);
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
        long nanos = Proof.size(HangGuard.TIME, TOLERANCE).toNanos();
        long before = clock.nanos();
        clock.park(nanos);

        assertTrue(clock.nanos() - before < nanos);
        assertTrue(Thread.interrupted());
    }
}
