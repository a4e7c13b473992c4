package org.idallocator.service.metrics;

import com.google.common.collect.ObjectArrays;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.SummaryWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Quantiles;
import java.time.Duration;
import java.util.function.ToLongFunction;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.PoolView;

/**
 * Metrics of leases: of each scheme and slot on this replica, of its clock, and of the pools that all replicas share. Every scrape
 * asks the replica, which asks nobody.
 *
 * @param registry where the metrics go
 * @param dropwizard where those of the replica's own leases go, too
 * @param allocator the replica
 */
public record LeaseMetrics(PrometheusRegistry registry, DropwizardMetrics dropwizard, IdAllocator allocator) {
    private static final double MILLIS = 1_000;
    private static final double SECOND_NANOS = 1e9;

    /** Registers what each scheme is told of itself: whether it serves, and its slots on this replica. */
    public static void register(PrometheusRegistry registry, IdSource source) {
        gauge("id_allocator_fenced", "1 while a scheme issues nothing, with the reason; 0 while it serves")
                .labelNames("scheme", "reason")
                .callback(to -> source.schemes().forEach(scheme -> fenced(to, source.status(scheme))))
                .register(registry);
        gauge(
                        "id_allocator_slots",
                        "Slots of a scheme on this replica: how many serve, and how many there are to be (min and max alike)")
                .labelNames("scheme", "count")
                .callback(to -> source.schemes().forEach(scheme -> slots(to, source.status(scheme))))
                .register(registry);
        held("id_allocator_reserved_through_seconds", "The end of the last tick reserved, as Unix time")
                .callback(to -> source.held()
                        .forEach(slot -> millis(to, slot, slot.reservedThrough().toEpochMilli())))
                .register(registry);
        held(
                        "id_allocator_reservation_lead_seconds",
                        "How far the end of what is reserved is ahead of this replica's clock; 0 when the clock is past it")
                .callback(to -> source.held().forEach(slot -> millis(to, slot, slot.timeLeftMillis())))
                .register(registry);
        held(
                        "id_allocator_deadline_seconds",
                        "How long until the slot is fenced unless a renewal is confirmed; 0 when it is over")
                .callback(to -> source.held().forEach(slot -> millis(to, slot, slot.deadlineMillis())))
                .register(registry);
    }

    private static GaugeWithCallback.Builder held(String name, String help) {
        return gauge(name, help).labelNames("scheme", "slot");
    }

    private static void millis(GaugeWithCallback.Callback to, HeldSlot slot, long millis) {
        to.call(millis / MILLIS, slot.scheme(), slot.slot());
    }

    private static void fenced(GaugeWithCallback.Callback to, SchemeStatus status) {
        String reason = status.fenced().map(why -> why.reason().code()).orElse("");
        to.call(status.active() ? 0 : 1, status.scheme(), reason);
    }

    private static void slots(GaugeWithCallback.Callback to, SchemeStatus status) {
        status.slots().ifPresent(slots -> {
            to.call(slots.serving(), status.scheme(), "serving");
            to.call(slots.leases(), status.scheme(), "min");
            to.call(slots.leases(), status.scheme(), "max");
        });
    }

    /** Registers what this replica's leases did, and how its clock is, for both. */
    void register() {
        counter("claims", "Slots that this replica has claimed", LeaseCounts::claims);
        counter("tenures", "Tenures that have begun to serve", LeaseCounts::tenures);
        counter("fences", "Tenures that serve no more, by the reason; released and tenure-ended are in order", "reason")
                .callback(to -> allocator
                        .leaseCounts()
                        .forEach(counts -> counts.fences()
                                .forEach((reason, count) -> to.call((double) count, counts.scheme(), reason.code()))))
                .register(registry);
        copy(
                "fences",
                counts -> counts.fences().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
        renewals();
        gauge(
                        "id_allocator_zookeeper_unreachable",
                        "1 while ZooKeeper gives this replica no answer, and IDs come from what is reserved; else 0")
                .callback(to -> to.call(allocator.outage().isPresent() ? 1 : 0))
                .register(registry);
        gauge(
                        "id_allocator_clock_offset_seconds",
                        "How far this replica's clock is ahead of ZooKeeper's (negative: behind), by the last write; none before one")
                .callback(to -> allocator.clockOffset().ifPresent(offset -> to.call(seconds(offset))))
                .register(registry);
        dropwizard.register(
                () -> allocator.clockOffset().map(LeaseMetrics::seconds).orElse(null), "clock-offset-seconds");
    }

    private void renewals() {
        counter(
                        "renewals",
                        "Renewals of tenures: confirmed by ZooKeeper at once (ok), confirmed after a try without a plain answer"
                                + " (retried), or due and not confirmed (failed)",
                        "outcome")
                .callback(to -> allocator.leaseCounts().forEach(counts -> {
                    to.call((double) counts.renewals().atOnce(), counts.scheme(), "ok");
                    to.call((double) counts.renewals().retried(), counts.scheme(), "retried");
                    to.call((double) counts.renewals().failed(), counts.scheme(), "failed");
                }))
                .register(registry);
        copy("renewals", counts -> counts.renewals().confirmed());
        copy("renewals-retried", counts -> counts.renewals().retried());
        copy("renewals-failed", counts -> counts.renewals().failed());
        SummaryWithCallback.builder()
                .name("id_allocator_renewal_seconds")
                .help("How long confirmed renewals took, from sending to ZooKeeper's answer")
                .labelNames("scheme")
                .callback(to -> allocator.leaseCounts().forEach(counts -> {
                    double seconds = counts.renewals().confirmedNanos() / SECOND_NANOS;
                    to.call(counts.renewals().confirmed(), seconds, Quantiles.EMPTY, counts.scheme());
                }))
                .register(registry);
    }

    private void counter(String name, String help, ToLongFunction<LeaseCounts> value) {
        counter(name, help)
                .callback(to -> allocator
                        .leaseCounts()
                        .forEach(counts -> to.call((double) value.applyAsLong(counts), counts.scheme())))
                .register(registry);
        copy(name, value);
    }

    private static CounterWithCallback.Builder counter(String name, String help, String... labels) {
        return CounterWithCallback.builder()
                .name("id_allocator_" + name + "_total")
                .help(help)
                .labelNames(ObjectArrays.concat("scheme", labels));
    }

    /** Registers a count of each scheme with Dropwizard, too. */
    private void copy(String name, ToLongFunction<LeaseCounts> value) {
        for (LeaseCounts each : allocator.leaseCounts()) {
            dropwizard.register(
                    () -> allocator.leaseCounts().stream()
                            .filter(counts -> counts.scheme().equals(each.scheme()))
                            .mapToLong(value)
                            .sum(),
                    each.scheme(),
                    name);
        }
    }

    /** Registers what ZooKeeper showed of all pools. Every replica tells the same, as far as it can read ZooKeeper. */
    static void register(PrometheusRegistry registry, ClusterWatch watch) {
        gauge(
                        "id_allocator_pool_slots",
                        "Slots of a scheme's whole pool, by state, as last read from ZooKeeper; none while they cannot be read")
                .labelNames("scheme", "state")
                .callback(to -> watch.recent()
                        .ifPresent(look -> look.fleet().pools().forEach(pool -> states(to, pool.counts()))))
                .register(registry);
        gauge("id_allocator_pool_age_seconds", "How long ago the slots of the pools were read")
                .callback(to -> watch.recent().ifPresent(look -> to.call(seconds(watch.age(look)))))
                .register(registry);
    }

    private static void states(GaugeWithCallback.Callback to, PoolView.Counts counts) {
        to.call((double) counts.held(), counts.scheme(), "held");
        to.call((double) counts.free(), counts.scheme(), "free");
        to.call((double) counts.cooling(), counts.scheme(), "cooling");
        to.call((double) counts.retired(), counts.scheme(), "retired");
        to.call((double) counts.unreadable(), counts.scheme(), "unreadable");
    }

    static GaugeWithCallback.Builder gauge(String name, String help) {
        return GaugeWithCallback.builder().name(name).help(help);
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / SECOND_NANOS;
    }
}
