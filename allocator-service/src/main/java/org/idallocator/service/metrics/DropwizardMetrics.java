package org.idallocator.service.metrics;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;

/**
 * The allocator's metrics in Dropwizard's own registry, as gauges below {@code id-allocator}: for the admin port's {@code /metrics}, and
 * for reporters that a program configures. What has labels for Prometheus has them in the name here: {@code
 * id-allocator.sno.ids-issued}.
 *
 * @param registry Dropwizard's
 */
public record DropwizardMetrics(MetricRegistry registry) {
    static final String PREFIX = "id-allocator";

    /** Registers a gauge under the name that the parts make. Its value is null while nothing is known. */
    void register(Gauge<?> gauge, String... parts) {
        registry.register(MetricRegistry.name(PREFIX, parts), gauge);
    }
}
