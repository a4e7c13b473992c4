package org.idallocator.service.metrics;

import com.codahale.metrics.Gauge;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.SummaryWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Quantiles;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.SlotMargin;

/** Metrics of one replica's leases, and of its clock. Every scrape asks the allocator, which asks nobody. */
final class ReplicaMetrics {
    private static final double SECOND_NANOS = 1e9;

    private final PrometheusRegistry registry;
    private final IdAllocator allocator;

    private ReplicaMetrics(PrometheusRegistry registry, IdAllocator allocator) {
        this.registry = registry;
        this.allocator = allocator;
    }

    static void register(PrometheusRegistry registry, DropwizardMetrics dropwizard, IdAllocator allocator) {
        ReplicaMetrics metrics = new ReplicaMetrics(registry, allocator);
        metrics.registerCounts();
        metrics.registerMargins();
        metrics.registerClock(dropwizard);
        allocator.leaseCounts().forEach(counts -> metrics.registerIn(dropwizard, counts.scheme()));
    }

    private void registerCounts() {
        count("id_allocator_claims_total", "Slots that this replica has claimed", LeaseCounts::claims);
        count("id_allocator_tenures_total", "Tenures that have begun to serve", LeaseCounts::tenures);
        CounterWithCallback.builder()
                .name("id_allocator_renewals_total")
                .help(
                        "Renewals of tenures: confirmed by ZooKeeper at once (ok), confirmed after a try without a plain answer"
                                + " (retried), or due and not confirmed (failed)")
                .labelNames("scheme", "outcome")
                .callback(callback -> allocator.leaseCounts().forEach(counts -> {
                    callback.call((double) counts.renewals().atOnce(), counts.scheme(), "ok");
                    callback.call((double) counts.renewals().retried(), counts.scheme(), "retried");
                    callback.call((double) counts.renewals().failed(), counts.scheme(), "failed");
                }))
                .register(registry);
        SummaryWithCallback.builder()
                .name("id_allocator_renewal_seconds")
                .help("How long confirmed renewals took, from sending to ZooKeeper's answer")
                .labelNames("scheme")
                .callback(callback -> allocator
                        .leaseCounts()
                        .forEach(counts -> callback.call(
                                counts.renewals().confirmed(),
                                counts.renewals().confirmedNanos() / SECOND_NANOS,
                                Quantiles.EMPTY,
                                counts.scheme())))
                .register(registry);
        CounterWithCallback.builder()
                .name("id_allocator_fences_total")
                .help("Tenures that serve no more, by the reason; released and tenure-ended are in order")
                .labelNames("scheme", "reason")
                .callback(callback -> allocator
                        .leaseCounts()
                        .forEach(counts -> counts.fences()
                                .forEach((reason, count) ->
                                        callback.call((double) count, counts.scheme(), reason.code()))))
                .register(registry);
    }

    private void count(String name, String help, ToLongFunction<LeaseCounts> value) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("scheme")
                .callback(callback -> allocator
                        .leaseCounts()
                        .forEach(counts -> callback.call((double) value.applyAsLong(counts), counts.scheme())))
                .register(registry);
    }

    private void registerMargins() {
        margin(
                "id_allocator_reservation_lead_seconds",
                "How far the end of what is reserved is ahead of this replica's clock; negative when the clock is past it",
                margin -> seconds(margin.lead()));
        margin(
                "id_allocator_deadline_seconds",
                "How long until the slot is fenced unless a renewal is confirmed; negative when it is over",
                margin -> seconds(margin.untilDeadline()));
    }

    private void margin(String name, String help, ToDoubleFunction<SlotMargin> value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames("scheme", "slot")
                .callback(callback -> allocator
                        .margins()
                        .forEach(margin -> callback.call(value.applyAsDouble(margin), margin.scheme(), margin.slot())))
                .register(registry);
    }

    private void registerClock(DropwizardMetrics dropwizard) {
        GaugeWithCallback.builder()
                .name("id_allocator_clock_offset_seconds")
                .help(
                        "How far this replica's clock is ahead of ZooKeeper's (negative: behind), by the last write; none before one")
                .callback(callback -> allocator.clockOffset().ifPresent(offset -> callback.call(seconds(offset))))
                .register(registry);
        dropwizard.register(
                (Gauge<Double>) () ->
                        allocator.clockOffset().map(ReplicaMetrics::seconds).orElse(null),
                "clock-offset-seconds");
    }

    private void registerIn(DropwizardMetrics dropwizard, String scheme) {
        Supplier<LeaseCounts> counts = () -> of(allocator.leaseCounts(), scheme);
        dropwizard.register((Gauge<Long>) () -> counts.get().claims(), scheme, "claims");
        dropwizard.register((Gauge<Long>) () -> counts.get().tenures(), scheme, "tenures");
        dropwizard.register((Gauge<Long>) () -> counts.get().renewals().confirmed(), scheme, "renewals");
        dropwizard.register((Gauge<Long>) () -> counts.get().renewals().retried(), scheme, "renewals-retried");
        dropwizard.register((Gauge<Long>) () -> counts.get().renewals().failed(), scheme, "renewals-failed");
        dropwizard.register(
                (Gauge<Long>) () -> counts.get().fences().values().stream()
                        .mapToLong(Long::longValue)
                        .sum(),
                scheme,
                "fences");
    }

    private static LeaseCounts of(List<LeaseCounts> all, String scheme) {
        return all.stream()
                .filter(counts -> counts.scheme().equals(scheme))
                .findFirst()
                .orElseThrow();
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / SECOND_NANOS;
    }
}
