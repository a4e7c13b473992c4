package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.health.HealthCheck.Result;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;

class ReadinessRuleTest {
    private final ObedientSource source = new ObedientSource();
    private final List<Scheme<?>> leased = source.schemes().stream()
            .filter(scheme -> scheme.pool().isPresent())
            .toList();
    private final Readiness readiness = new Readiness(source, leased);

    @Test
    void shouldBeReadyWhenEverythingServes() {
        assertEquals(Result.healthy().isHealthy(), readiness.check().isHealthy());
    }

    @Test
    void shouldNotBeReadyBeforeTheFirstTenure() {
        source.fenceAll(FenceReason.STARTING);

        assertEquals(false, readiness.check().isHealthy());
    }

    @Test
    void shouldNotBeReadyWhileOneSchemeIsStillStarting() {
        source.fence("uid60", FenceReason.STARTING);

        assertEquals(false, readiness.check().isHealthy());
        assertEquals(
                "uid60: " + FenceReason.STARTING.sentence(), readiness.check().getMessage());
    }

    @Test
    void shouldBeReadyForTheOthersWhenAPoolWasFullFromTheStart() {
        source.fence("eightbyte", FenceReason.NO_FREE_SLOT);

        assertEquals(true, readiness.check().isHealthy());
    }

    @Test
    void shouldNotBeReadyWhenAPoolIsFullAfterItsSchemeServed() {
        readiness.check();
        source.fence("eightbyte", FenceReason.NO_FREE_SLOT);

        assertEquals(false, readiness.check().isHealthy());
    }

    @Test
    void shouldNotBeReadyWhenEveryPoolIsFull() {
        source.fenceAll(FenceReason.NO_FREE_SLOT);

        assertEquals(false, readiness.check().isHealthy());
        assertEquals("no scheme has a slot", readiness.check().getMessage());
    }

    @Test
    void shouldBeReadyWithoutAnyLeasedScheme() {
        source.fenceAll(FenceReason.UNREACHABLE);

        assertEquals(true, new Readiness(source, List.of()).check().isHealthy());
    }
}
