package org.idallocator.dropwizard.metrics;

import com.codahale.metrics.health.HealthCheckRegistry;
import java.util.List;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Software;

/** Registers the metrics that every program with an allocator has. */
public final class MetricsSetup {
    /** The path on the admin port that Prometheus scrapes. */
    public static final String PATH = "/prometheus";

    private MetricsSetup() {}

    /**
     * Registers the metrics of the allocator itself.
     *
     * @param checks the program's health checks, which include the allocator's
     * @param settings the allocator's settings
     * @param watch what ZooKeeper showed of the pools
     */
    public static void register(
            Meters meters,
            HealthCheckRegistry checks,
            IdAllocator allocator,
            AllocatorSettings settings,
            ClusterWatch watch) {
        LeaseMetrics.register(meters, allocator, watch);
        meters.gauge(
                "ready",
                "1 while the health check leases passes; else 0",
                List.of(),
                to -> to.call(HealthSetup.isReady(checks) ? 1 : 0));
        meters.copy(() -> HealthSetup.isReady(checks), "ready");
        meters.gauge(
                "window_seconds",
                "How far ahead of its clock this replica reserves",
                List.of("scheme"),
                to -> Schemes.leased(settings.schemes())
                        .forEach(scheme -> to.call(Meters.seconds(settings.window(scheme)), scheme.name())));
        meters.gauge(
                "max_clock_skew_seconds",
                "How far this replica's clock may be from ZooKeeper's",
                List.of(),
                to -> to.call(Meters.seconds(settings.maxClockSkew())));
        meters.info("build_info", "1, with the version of this replica's software", "version", Software.VERSION);
    }
}
