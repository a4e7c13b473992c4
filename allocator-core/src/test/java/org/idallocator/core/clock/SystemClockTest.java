package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void shouldReturnAtOnceWithFlagWhenInterruptedInPark() {
        Thread.currentThread().interrupt();
        long nanos = Proof.size(HangGuard.TIME, TOLERANCE).toNanos();
        long before = clock.nanos();
        clock.park(nanos);

        assertTrue(clock.nanos() - before < nanos);
        assertTrue(Thread.interrupted());
    }

    /** Whoever may spin does so through short waits, again and again; all others park. */
    @ParameterizedTest
    @CsvSource({"0, 10000, true", "1, 10000, false", "1, 1000000, true"})
    void shouldSpinThroughShortWaitsWhereSoManyMay(int spinners, long nanos, boolean parks) {
        List<Long> parked = new ArrayList<>();
        SystemClock spinning = new SystemClock(spinners, parked::add);
        spinning.park(nanos);
        spinning.park(nanos);

        assertEquals(parks ? List.of(nanos, nanos) : List.of(), parked);
    }
}
