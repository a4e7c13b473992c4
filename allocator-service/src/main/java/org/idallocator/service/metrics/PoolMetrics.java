package org.idallocator.service.metrics;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.zk.operator.PoolView;

/** Metrics of the pools that all replicas share. Every replica tells the same, as far as it can read ZooKeeper. */
final class PoolMetrics {
    private static final double SECOND_NANOS = 1e9;

    private PoolMetrics() {}

    static void register(PrometheusRegistry registry, ClusterWatch watch) {
        GaugeWithCallback.builder()
                .name("id_allocator_pool_slots")
                .help(
                        "Slots of a scheme's whole pool, by state, as last read from ZooKeeper; none while they cannot be read")
                .labelNames("scheme", "state")
                .callback(callback -> watch.recent()
                        .ifPresent(look -> look.fleet().pools().forEach(pool -> tell(callback, pool.counts()))))
                .register(registry);
        GaugeWithCallback.builder()
                .name("id_allocator_pool_age_seconds")
                .help("How long ago the slots of the pools were read")
                .callback(callback -> watch.recent()
                        .ifPresent(look -> callback.call(watch.age(look).toNanos() / SECOND_NANOS)))
                .register(registry);
    }

    private static void tell(GaugeWithCallback.Callback callback, PoolView.Counts counts) {
        callback.call((double) counts.held(), counts.scheme(), "held");
        callback.call((double) counts.free(), counts.scheme(), "free");
        callback.call((double) counts.cooling(), counts.scheme(), "cooling");
        callback.call((double) counts.retired(), counts.scheme(), "retired");
        callback.call((double) counts.unreadable(), counts.scheme(), "unreadable");
    }
}
