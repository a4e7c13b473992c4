package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.health.HealthCheck.Result;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;

class LivenessTest {
    private final ObedientSource source = new ObedientSource();

    private Result check(Duration sessionTimeout, Duration since) {
        source.hang(since);
        return new Liveness(source, sessionTimeout).check();
    }

    @Test
    void shouldBeAliveUntilTheThreadHasDoneNothingForAMinute() {
        assertEquals(true, check(Duration.ofSeconds(10), Duration.ofMinutes(1)).isHealthy());
        assertEquals(
                "the lease thread has done nothing for more than 60 s",
                check(Duration.ofSeconds(10), Duration.ofMillis(60_001)).getMessage());
    }

    @Test
    void shouldWaitLongerWhenSessionsAreLonger() {
        assertEquals(true, check(Duration.ofMinutes(1), Duration.ofMinutes(6)).isHealthy());
        assertEquals(
                false, check(Duration.ofMinutes(1), Duration.ofSeconds(361)).isHealthy());
    }

    @Test
    void shouldNotBeAliveWhenTheThreadHasDied() {
        assertEquals(
                false,
                check(Duration.ofDays(1), ChronoUnit.FOREVER.getDuration()).isHealthy());
    }
}
