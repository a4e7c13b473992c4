package org.idallocator.service.metrics;

import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.core.setup.Environment;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.instrumentation.dropwizard.DropwizardExports;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Software;

/** All metrics of one program's allocator, in a registry of their own and in Dropwizard's. */
public final class MetricsSetup {
    /** Where Prometheus scrapes, on the admin port. */
    public static final String PATH = "/prometheus";

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final DropwizardMetrics dropwizard;

    /**
     * Registers what is told of the allocator itself. What Dropwizard's registry has besides is served with it.
     *
     * @param settings the allocator's
     * @param watch what ZooKeeper showed of the pools
     */
    public MetricsSetup(
            Environment environment, IdAllocator allocator, AllocatorSettings settings, ClusterWatch watch) {
        dropwizard = new DropwizardMetrics(environment.metrics());
        DropwizardExports.builder()
                .dropwizardRegistry(environment.metrics())
                .metricFilter((name, copied) -> !name.startsWith(DropwizardMetrics.PREFIX + ".")) // are there already
                .register(registry);
        LeaseMetrics.register(registry, allocator);
        new LeaseMetrics(registry, dropwizard, allocator).register();
        LeaseMetrics.register(registry, watch);
        HealthCheckRegistry checks = environment.healthChecks();
        LeaseMetrics.gauge("id_allocator_ready", "1 while the health check leases passes; else 0")
                .callback(to -> to.call(HealthSetup.isReady(checks) ? 1 : 0))
                .register(registry);
        dropwizard.register(() -> HealthSetup.isReady(checks), "ready");
        registerSettings(settings);
    }

    private void registerSettings(AllocatorSettings settings) {
        LeaseMetrics.gauge("id_allocator_window_seconds", "How far ahead of its clock this replica reserves")
                .labelNames("scheme")
                .callback(to -> Schemes.leased(settings.schemes())
                        .forEach(scheme -> to.call(LeaseMetrics.seconds(settings.window(scheme)), scheme.name())))
                .register(registry);
        LeaseMetrics.gauge(
                        "id_allocator_max_clock_skew_seconds", "How far this replica's clock may be from ZooKeeper's")
                .callback(to -> to.call(LeaseMetrics.seconds(settings.maxClockSkew())))
                .register(registry);
        Info.builder()
                .name("id_allocator_build_info")
                .help("1, with the version of this replica's software")
                .labelNames("version")
                .register(registry)
                .addLabelValues(Software.VERSION);
    }

    /** Metrics of what is drawn over HTTP. To be called once at most. */
    public IdMetrics draws(IdSource source) {
        return new IdMetrics(registry, dropwizard, source.schemes());
    }

    /** What Prometheus scrapes. */
    public PrometheusRegistry registry() {
        return registry;
    }
}
