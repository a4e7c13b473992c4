package org.idallocator.service.metrics;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.SchemeStatus;

/** Metrics of what each scheme is told of itself: whether it serves, and its slots on this replica. */
public final class LeaseMetrics {
    private static final double MILLIS = 1_000;

    private LeaseMetrics() {}

    /** Registers the metrics; every scrape asks {@code source}. */
    public static void register(PrometheusRegistry registry, IdSource source) {
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
                                held.reservedThrough().toEpochMilli() / MILLIS, held.scheme(), held.slot())))
                .register(registry);
        GaugeWithCallback.builder()
                .name("id_allocator_slots")
                .help("Slots of a scheme on this replica: how many serve, and how many there are at least and at most")
                .labelNames("scheme", "count")
                .callback(callback -> source.schemes().forEach(scheme -> slots(callback, source.status(scheme))))
                .register(registry);
    }

    private static void slots(GaugeWithCallback.Callback callback, SchemeStatus status) {
        status.slots().ifPresent(slots -> {
            callback.call(slots.serving(), status.scheme(), "serving");
            callback.call(slots.bounds().min(), status.scheme(), "min");
            callback.call(slots.bounds().max(), status.scheme(), "max");
        });
    }

    private static void fenced(GaugeWithCallback.Callback callback, SchemeStatus status) {
        String reason = status.fenced().map(why -> why.reason().code()).orElse("");
        callback.call(status.active() ? 0 : 1, status.scheme(), reason);
    }
}
