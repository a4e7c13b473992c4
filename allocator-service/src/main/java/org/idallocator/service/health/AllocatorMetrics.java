package org.idallocator.service.health;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.service.draw.DrawListener;
import org.idallocator.service.draw.IdSource;
import org.idallocator.zk.lease.SchemeStatus;

/** What Prometheus is told of each scheme. Thread-safe. */
public final class AllocatorMetrics {
    private final Counter issued;
    private final Counter refused;

    /** Registers all metrics; {@code source} is asked at every scrape. */
    public AllocatorMetrics(PrometheusRegistry registry, IdSource source) {
        issued = Counter.builder()
                .name("id_allocator_ids_issued_total")
                .help("IDs drawn for callers")
                .labelNames("scheme")
                .register(registry);
        refused = Counter.builder()
                .name("id_allocator_draws_refused_total")
                .help("Draws that failed, by reason: of a fence, over-capacity, or error")
                .labelNames("scheme", "reason")
                .register(registry);
        source.schemes().forEach(scheme -> issued.initLabelValues(scheme.name()));
        registerStates(registry, source);
    }

    private static void registerStates(PrometheusRegistry registry, IdSource source) {
        GaugeWithCallback.builder()
                .name("id_allocator_fenced")
                .help("1 while a scheme issues nothing, with the reason; 0 while it serves")
                .labelNames("scheme", "reason")
                .callback(callback -> source.schemes().forEach(scheme -> fenced(callback, source.status(scheme))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("id_allocator_reserved_through_seconds")
                .help("The end of the last tick reserved, as Unix time")
                .labelNames("scheme", "slot")
                .callback(callback -> source.held()
                        .forEach(held -> callback.call(
                                held.reservedThrough().toEpochMilli() / 1_000.0, held.scheme(), held.slot())))
                .register(registry);
    }

    private static void fenced(GaugeWithCallback.Callback callback, SchemeStatus status) {
        String reason = status.fenced().map(why -> why.reason().code()).orElse("");
        callback.call(status.active() ? 0 : 1, status.scheme(), reason);
    }

    /** Counts one scheme's draws. */
    public DrawListener listener(String scheme) {
        return new DrawListener() {
            @Override
            public void issued(long ids) {
                issued.labelValues(scheme).inc(ids);
            }

            @Override
            public void failed(RuntimeException why) {
                refused.labelValues(scheme, reason(why)).inc();
            }
        };
    }

    private static String reason(RuntimeException why) {
        if (why instanceof FencedException fenced) {
            return fenced.reason().code();
        }
        return why instanceof OverCapacityException ? "over-capacity" : "error";
    }
}
