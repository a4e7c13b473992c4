package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.health.HealthCheck.Result;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.health.DefaultHealthFactory;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.metrics.LeaseMetrics;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

    /** ZooKeeper is away for a step, or a slot was put back and cools: what serves goes on. */
    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "COOLING", "STARTING"})
    void shouldStayReadyForTheOthersWhileASchemeWhosePoolWasFullWaitsForAnotherReason(FenceReason reason) {
        source.fence("eightbyte", FenceReason.NO_FREE_SLOT);
        readiness.check();
        source.fence("eightbyte", reason);

        assertEquals(true, readiness.check().isHealthy());
    }

    @ParameterizedTest
    @EnumSource(names = {"UNREACHABLE", "COOLING", "STARTING", "NO_FREE_SLOT"})
    void shouldNotBeReadyWhenASchemeWhosePoolWasFullHasServedMeanwhile(FenceReason reason) {
        source.fence("eightbyte", FenceReason.NO_FREE_SLOT);
        readiness.check();
        source.serve();
        readiness.check();
        source.fence("eightbyte", reason);

        assertEquals(false, readiness.check().isHealthy());
    }

    @Test
    void shouldNotBeReadyWhenASchemeWhosePoolWasFullMeetsWhatSomebodyHasToEnd() {
        source.fence("eightbyte", FenceReason.NO_FREE_SLOT);
        readiness.check();
        source.fence("eightbyte", FenceReason.LAYOUT_MISMATCH);

        assertEquals(false, readiness.check().isHealthy());
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
    void shouldNotBeReadyWhenFewerSlotsServeThanAreTo() {
        source.slots("uid60", 2, 2);

        assertEquals(true, readiness.check().isHealthy());

        source.slots("uid60", 1, 2);

        assertEquals(false, readiness.check().isHealthy());
        assertEquals(
                "uid60: 1 of 2 slots serve: " + FenceReason.NO_FREE_SLOT.sentence(),
                readiness.check().getMessage());
    }

    @Test
    void shouldTellHowManySlotsServe() {
        PrometheusRegistry registry = new PrometheusRegistry();
        LeaseMetrics.register(registry, source);
        source.slots("uid60", 3, 8);

        GaugeSnapshot slots = registry.scrape().stream()
                .filter(metric -> metric.getMetadata().getName().equals("id_allocator_slots"))
                .map(GaugeSnapshot.class::cast)
                .findFirst()
                .orElseThrow();
        assertEquals(
                Map.of("serving", 3.0, "min", 8.0, "max", 8.0),
                slots.getDataPoints().stream()
                        .collect(Collectors.toMap(
                                point -> point.getLabels().get("count"),
                                GaugeSnapshot.GaugeDataPointSnapshot::getValue)));
    }

    @Test
    void shouldNotBeReadyWhenDrainedAlthoughNoSchemeIsLeased() {
        source.fenceAll(FenceReason.DRAINED);

        assertEquals(false, new Readiness(source, List.of()).check().isHealthy());
        assertEquals(FenceReason.DRAINED.sentence(), readiness.check().getMessage());
    }

    /** The schemes serve all the while; balancers that ask for single schemes are told as well. */
    @Test
    void shouldNotBeReadyWhenADrainIsAnnounced() {
        HealthCheckRegistry checks = new HealthCheckRegistry();
        HealthSetup.register(checks, source, Duration.ofSeconds(10));
        source.leave();

        assertEquals(false, readiness.check().isHealthy());
        assertEquals(false, new Readiness(source, List.of()).check().isHealthy());
        assertEquals(false, checks.runHealthCheck(leased.get(0).name()).isHealthy());
        assertEquals(
                "this replica is about to be drained by its operator, and serves until then",
                readiness.check().getMessage());
    }

    @Test
    void shouldGiveNoticeOfADrainForAsLongAsOfAStop() {
        DefaultHealthFactory factory = new DefaultHealthFactory();
        factory.setShutdownWaitPeriod(io.dropwizard.util.Duration.milliseconds(2_500));

        assertEquals(Duration.ZERO, HealthSetup.notice(Optional.of(factory)));
        factory.setDelayedShutdownHandlerEnabled(true);
        assertEquals(Duration.ofMillis(2_500), HealthSetup.notice(Optional.of(factory)));
        factory.setEnabled(false);
        assertEquals(Duration.ZERO, HealthSetup.notice(Optional.of(factory)));
        assertEquals(Duration.ZERO, HealthSetup.notice(Optional.empty()));
    }

    @Test
    void shouldBeReadyWithoutAnyLeasedScheme() {
        source.fenceAll(FenceReason.UNREACHABLE);

        assertEquals(true, new Readiness(source, List.of()).check().isHealthy());
    }
}
