package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.health.DefaultHealthFactory;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.metrics.LeaseMetrics;
import org.idallocator.service.testing.ObedientSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadinessRuleTest {
    private final ObedientSource source = new ObedientSource();
    private final List<Scheme<?>> leased = source.schemes().stream()
            .filter(scheme -> scheme.pool().isPresent())
            .toList();
    private final Readiness readiness = new Readiness(source, leased);

    /** Readiness is looked at after each step; a scheme that has served once is missed, one that has not is waited for. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            serve                                                  | true
            all STARTING                                           | false
            uid60 STARTING                                         | false
            all NO_FREE_SLOT                                       | false
            eightbyte NO_FREE_SLOT                                 | true
            eightbyte NO_FREE_SLOT, eightbyte UNREACHABLE          | true
            eightbyte NO_FREE_SLOT, eightbyte COOLING              | true
            eightbyte NO_FREE_SLOT, eightbyte STARTING             | true
            eightbyte NO_FREE_SLOT, eightbyte LAYOUT_MISMATCH      | false
            eightbyte NO_FREE_SLOT, serve, eightbyte UNREACHABLE   | false
            eightbyte NO_FREE_SLOT, serve, eightbyte COOLING       | false
            eightbyte NO_FREE_SLOT, serve, eightbyte STARTING      | false
            eightbyte NO_FREE_SLOT, serve, eightbyte NO_FREE_SLOT  | false
            serve, eightbyte NO_FREE_SLOT                          | false
            """)
    void shouldBeReadyUnlessASchemeIsAwaitedOrMissed(String steps, boolean ready) {
        List<Boolean> seen =
                Stream.of(steps.split(", ", -1)).map(this::readyAfter).toList();
        assertEquals(ready, seen.get(seen.size() - 1));
    }

    private boolean readyAfter(String step) {
        String[] words = step.split(" ", -1);
        switch (words[0]) {
            case "serve" -> source.serve();
            case "all" -> source.fenceAll(FenceReason.valueOf(words[1]));
            default -> source.fence(words[0], FenceReason.valueOf(words[1]));
        }
        return readiness.check().isHealthy();
    }

    @Test
    void shouldSayWhichSchemeIsStillStarting() {
        source.fence("uid60", FenceReason.STARTING);
        assertEquals(
                "uid60: " + FenceReason.STARTING.sentence(), readiness.check().getMessage());
    }

    @Test
    void shouldSayThatEveryPoolIsFull() {
        source.fenceAll(FenceReason.NO_FREE_SLOT);
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
