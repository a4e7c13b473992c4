package org.idallocator.service.metrics;

import com.codahale.metrics.Gauge;
import com.google.common.collect.ObjectArrays;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.SummaryWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Quantiles;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.lease.SlotMargin;
import org.idallocator.zk.operator.PoolView;

/**
 * Metrics of leases: of each scheme and slot on this replica, of its clock, and of the pools that all replicas share. Every scrape
 * asks the replica, which asks nobody.
 *
 * @param registry where the metrics of the replica's own leases go
 * @param allocator the replica
 */
public record LeaseMetrics(PrometheusRegistry registry, IdAllocator allocator) {
    private static final double MILLIS = 1_000;
    private static final double SECOND_NANOS = 1e9;

    /** Registers what each scheme is told of itself: whether it serves, and its slots on this replica. */
    public static void register(PrometheusRegistry registry, IdSource source) {
        gauge("id_allocator_fenced", "1 while a scheme issues nothing, with the reason; 0 while it serves")
                .labelNames("scheme", "reason")
                .callback(to -> source.schemes().forEach(scheme -> fenced(to, source.status(scheme))))
                .register(registry);
        gauge("id_allocator_reserved_through_seconds", "The end of the last tick reserved, as Unix time")
                .labelNames("scheme", "slot")
                .callback(to -> source.held()
                        .forEach(slot ->
                                to.call(slot.reservedThrough().toEpochMilli() / MILLIS, slot.scheme(), slot.slot())))
                .register(registry);
        gauge(
                        "id_allocator_slots",
                        "Slots of a scheme on this replica: how many serve, and how many there are to be (min and max alike)")
                .labelNames("scheme", "count")
                .callback(to -> source.schemes().forEach(scheme -> slots(to, source.status(scheme))))
                .register(registry);
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

    /** Registers what this replica's leases did, what is left to them, and how its clock is. */
    static void register(PrometheusRegistry registry, DropwizardMetrics dropwizard, IdAllocator allocator) {
        LeaseMetrics metrics = new LeaseMetrics(registry, allocator);
        metrics.tenures();
        metrics.renewals();
        metrics.margins();
        dropwizard.register(
                (Gauge<Double>)
                        () -> allocator.clockOffset().map(LeaseMetrics::seconds).orElse(null),
                "clock-offset-seconds");
        allocator.leaseCounts().forEach(counts -> metrics.register(dropwizard, counts.scheme()));
    }

    private void tenures() {
        counter(
                "id_allocator_claims_total",
                "Slots that this replica has claimed",
                (to, counts) -> to.call((double) counts.claims(), counts.scheme()));
        counter(
                "id_allocator_tenures_total",
                "Tenures that have begun to serve",
                (to, counts) -> to.call((double) counts.tenures(), counts.scheme()));
        counter(
                "id_allocator_fences_total",
                "Tenures that serve no more, by the reason; released and tenure-ended are in order",
                (to, counts) -> counts.fences()
                        .forEach((reason, count) -> to.call((double) count, counts.scheme(), reason.code())),
                "reason");
    }

    private void renewals() {
        counter(
                "id_allocator_renewals_total",
                "Renewals of tenures: confirmed by ZooKeeper at once (ok), confirmed after a try without a plain answer (retried),"
                        + " or due and not confirmed (failed)",
                (to, counts) -> {
                    to.call((double) counts.renewals().atOnce(), counts.scheme(), "ok");
                    to.call((double) counts.renewals().retried(), counts.scheme(), "retried");
                    to.call((double) counts.renewals().failed(), counts.scheme(), "failed");
                },
                "outcome");
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

    private void counter(
            String name, String help, BiConsumer<CounterWithCallback.Callback, LeaseCounts> values, String... labels) {
        CounterWithCallback.builder()
                .name(name)
                .help(help)
                .labelNames(ObjectArrays.concat("scheme", labels))
                .callback(to -> allocator.leaseCounts().forEach(counts -> values.accept(to, counts)))
                .register(registry);
    }

    private void margins() {
        margin(
                "id_allocator_reservation_lead_seconds",
                "How far the end of what is reserved is ahead of this replica's clock; negative when the clock is past it",
                SlotMargin::lead);
        margin(
                "id_allocator_deadline_seconds",
                "How long until the slot is fenced unless a renewal is confirmed; negative when it is over",
                SlotMargin::untilDeadline);
        gauge(
                        "id_allocator_clock_offset_seconds",
                        "How far this replica's clock is ahead of ZooKeeper's (negative: behind), by the last write; none before one")
                .callback(to -> allocator.clockOffset().ifPresent(offset -> to.call(seconds(offset))))
                .register(registry);
    }

    private void margin(String name, String help, Function<SlotMargin, Duration> value) {
        gauge(name, help)
                .labelNames("scheme", "slot")
                .callback(to -> allocator
                        .margins()
                        .forEach(slot -> to.call(seconds(value.apply(slot)), slot.scheme(), slot.slot())))
                .register(registry);
    }

    private void register(DropwizardMetrics dropwizard, String scheme) {
        Map<String, ToLongFunction<LeaseCounts>> values = Map.of(
                "claims", LeaseCounts::claims,
                "tenures", LeaseCounts::tenures,
                "renewals", counts -> counts.renewals().confirmed(),
                "renewals-retried", counts -> counts.renewals().retried(),
                "renewals-failed", counts -> counts.renewals().failed(),
                "fences",
                        counts -> counts.fences().values().stream()
                                .mapToLong(Long::longValue)
                                .sum());
        values.forEach((name, value) -> dropwizard.register(
                (Gauge<Long>) () -> allocator.leaseCounts().stream()
                        .filter(counts -> counts.scheme().equals(scheme))
                        .mapToLong(value)
                        .sum(),
                scheme,
                name));
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
