package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TickUnitTest {
    private static final long EPOCH_MICROS = 10_000;
    private static final TickUnit UNIT = new TickUnit(EPOCH_MICROS, 4_000, 39);

    @ParameterizedTest
    @CsvSource({"10000, 0, 0", "13999, 0, 1", "14000, 1, 1", "9999, -1, 0", "6000, -1, -1", "5999, -2, -1"})
    void shouldRoundDownAndUpForTheFirstTickFromATime(long micros, long tick, long first) {
        assertEquals(tick, UNIT.tickAt(micros));
        assertEquals(first, UNIT.firstTickFrom(micros));
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "4000000, 1", "4000001, 2", "4001000, 2", "8000000, 2", "8000001, 3"})
    void shouldRoundUpWhenGivenDuration(long nanos, long ticks) {
        assertEquals(ticks, UNIT.ticksIn(Duration.ofNanos(nanos)));
    }

    @ParameterizedTest
    @CsvSource({"0, 10000, 0", "0, 99999, 0", "1, 10000, 4000000", "1, 13999, 1000", "5, 10000, 20000000"})
    void shouldSayHowLongWhenTickIsAhead(long tick, long nowMicros, long nanos) {
        assertEquals(nanos, UNIT.nanosUntil(tick, nowMicros));
    }

    @Test
    void shouldComeBackWhenTickBecomesTime() {
        for (long tick : new long[] {-3, 0, 1, UNIT.maxTick()}) {
            assertEquals(tick, UNIT.tickAt(UNIT.microsAt(tick)));
            assertEquals(tick - 1, UNIT.tickAt(UNIT.microsAt(tick) - 1));
        }
        assertEquals(Instant.EPOCH.plusMillis(14), UNIT.instantAt(1));
        assertEquals(Instant.EPOCH.minusMillis(2), UNIT.instantAt(-3));
        assertEquals((1L << 39) - 1, UNIT.maxTick());
        assertEquals(Long.MAX_VALUE, new TickUnit(0, 1, 56).nanosUntil(1L << 55, 0), "centuries ahead");
    }
}
