package org.idallocator.core.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClockTest {
    @ParameterizedTest
    @CsvSource({"1700000000123456, 2023-11-14T22:13:20.123456Z", "-1, 1969-12-31T23:59:59.999999Z"})
    void shouldTellWallTimeAsAnInstant(long micros, Instant instant) {
        assertEquals(instant, new ScriptedClock(micros).instant());
    }
}
