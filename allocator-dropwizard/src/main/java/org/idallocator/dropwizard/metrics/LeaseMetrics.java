package org.idallocator.dropwizard.metrics;

import com.google.common.collect.ImmutableList;
import io.prometheus.metrics.core.metrics.CounterWithCallback;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.snapshots.Quantiles;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.PoolView;

/**
 * Metrics of leases: of each scheme and slot on this replica, of the replica's clock, and of the pools that all
 * replicas share. A scrape reads the replica's state, and asks ZooKeeper nothing.
 */
final class LeaseMetrics {
    private static final String SCHEME = "scheme";

    private final Meters meters;
    private final IdAllocator allocator;

    private LeaseMetrics(Meters meters, IdAllocator allocator) {
        this.meters = meters;
        this.allocator = allocator;
    }

    /** Registers all of them. */
    static void register(Meters meters, IdAllocator allocator, ClusterWatch watch) {
        LeaseMetrics leases = new LeaseMetrics(meters, allocator);
        leases.registerSchemes();
        leases.registerSlots();
        leases.registerCounts();
        leases.registerRenewals();
        leases.registerZooKeeper();
        registerPools(meters, watch);
    }

    private void registerSchemes() {
        meters.gauge(
                "fenced",
                "1 while a scheme issues nothing, with the reason; 0 while it serves",
                List.of(SCHEME, "reason"),
                to -> allocator.schemes().forEach(scheme -> tellFenced(to, allocator.status(scheme))));
        meters.gauge(
                "slots",
                "Slots of a scheme on this replica: how many serve, and how many there are to be (min and max alike)",
                List.of(SCHEME, "count"),
                to -> allocator.schemes().forEach(scheme -> tellSlots(to, allocator.status(scheme))));
    }

    private static void tellFenced(GaugeWithCallback.Callback to, SchemeStatus status) {
        String reason = status.fenced().map(why -> why.reason().code()).orElse("");
        to.call(status.active() ? 0 : 1, status.scheme(), reason);
    }

    private static void tellSlots(GaugeWithCallback.Callback to, SchemeStatus status) {
        status.slots().ifPresent(slots -> {
            to.call(slots.serving(), status.scheme(), "serving");
            to.call(slots.leases(), status.scheme(), "min");
            to.call(slots.leases(), status.scheme(), "max");
        });
    }

    private void registerSlots() {
        registerSlotGauge(
                "reserved_through_seconds",
                "The end of the last tick reserved, as Unix time",
                slot -> slot.reservedThrough().toEpochMilli());
        registerSlotGauge(
                "reservation_lead_seconds",
                "How far the end of what is reserved is ahead of this replica's clock; 0 when the clock is past it",
                HeldSlot::timeLeftMillis);
        registerSlotGauge(
                "deadline_seconds",
                "How long until the slot is fenced unless a renewal is confirmed; 0 when it is over",
                HeldSlot::deadlineMillis);
    }

    private void registerSlotGauge(String name, String help, ToLongFunction<HeldSlot> millis) {
        meters.gauge(
                name,
                help,
                List.of(SCHEME, "slot"),
                to -> allocator
                        .held()
                        .forEach(slot ->
                                to.call(Meters.secondsOfMillis(millis.applyAsLong(slot)), slot.scheme(), slot.slot())));
    }

    private void registerCounts() {
        registerCount("claims", "Slots that this replica has claimed", LeaseCounts::claims);
        registerCount("tenures", "Tenures that have begun to serve", LeaseCounts::tenures);
        registerCounter(
                "fences",
                "Tenures that serve no more, by the reason; released and tenure-ended are in order",
                List.of("reason"),
                (to, counts) -> counts.fences()
                        .forEach((reason, count) -> to.call((double) count, counts.scheme(), reason.code())));
        registerCopy(
                "fences",
                counts -> counts.fences().values().stream()
                        .mapToLong(Long::longValue)
                        .sum());
    }

    private void registerRenewals() {
        registerCounter(
                "renewals",
                "Renewals of tenures: confirmed by ZooKeeper at once (ok), confirmed after a try without a plain answer"
                        + " (retried), or due and not confirmed (failed)",
                List.of("outcome"),
                (to, counts) -> {
                    to.call((double) counts.renewals().atOnce(), counts.scheme(), "ok");
                    to.call((double) counts.renewals().retried(), counts.scheme(), "retried");
                    to.call((double) counts.renewals().failed(), counts.scheme(), "failed");
                });
        registerCopy("renewals", counts -> counts.renewals().confirmed());
        registerCopy("renewals-retried", counts -> counts.renewals().retried());
        registerCopy("renewals-failed", counts -> counts.renewals().failed());
        meters.summary(
                "renewal_seconds",
                "How long confirmed renewals took, from sending to ZooKeeper's answer",
                List.of(SCHEME),
                to -> allocator.leaseCounts().forEach(counts -> {
                    double seconds = Meters.secondsOfNanos(counts.renewals().confirmedNanos());
                    to.call(counts.renewals().confirmed(), seconds, Quantiles.EMPTY, counts.scheme());
                }));
    }

    private void registerZooKeeper() {
        meters.gauge(
                "zookeeper_unreachable",
                "1 while ZooKeeper gives this replica no answer, and IDs come from what is reserved; else 0",
                List.of(),
                to -> to.call(allocator.outage().isPresent() ? 1 : 0));
        meters.gauge(
                "clock_offset_seconds",
                "How far this replica's clock is ahead of ZooKeeper's (negative: behind), by the last write; none before one",
                List.of(),
                to -> allocator.clockOffset().ifPresent(offset -> to.call(Meters.seconds(offset))));
        meters.copy(() -> allocator.clockOffset().map(Meters::seconds).orElse(null), "clock-offset-seconds");
    }

    /** Registers a count of each scheme, with Prometheus and with Dropwizard. */
    private void registerCount(String name, String help, ToLongFunction<LeaseCounts> value) {
        registerCounter(
                name, help, List.of(), (to, counts) -> to.call((double) value.applyAsLong(counts), counts.scheme()));
        registerCopy(name, value);
    }

    /** Registers counts of each scheme with Prometheus. The label of the scheme comes before {@code labels}. */
    private void registerCounter(
            String name,
            String help,
            List<String> labels,
            BiConsumer<CounterWithCallback.Callback, LeaseCounts> value) {
        List<String> all =
                ImmutableList.<String>builder().add(SCHEME).addAll(labels).build();
        meters.counter(name, help, all, to -> allocator.leaseCounts().forEach(counts -> value.accept(to, counts)));
    }

    /** Registers a count of each scheme with Dropwizard. */
    private void registerCopy(String name, ToLongFunction<LeaseCounts> value) {
        for (LeaseCounts each : allocator.leaseCounts()) {
            meters.copy(
                    () -> allocator.leaseCounts().stream()
                            .filter(counts -> counts.scheme().equals(each.scheme()))
                            .mapToLong(value)
                            .sum(),
                    each.scheme(),
                    name);
        }
    }

    /** Registers what ZooKeeper showed of all pools. All replicas tell the same, as far as they can read ZooKeeper. */
    private static void registerPools(Meters meters, ClusterWatch watch) {
        meters.gauge(
                "pool_slots",
                "Slots of a scheme's whole pool, by state, as last read from ZooKeeper; none while they cannot be read",
                List.of(SCHEME, "state"),
                to -> watch.recent()
                        .ifPresent(seen -> seen.cluster().pools().forEach(pool -> tellStates(to, pool.counts()))));
        meters.gauge(
                "pool_age_seconds",
                "How long ago the slots of the pools were read",
                List.of(),
                to -> watch.recent().ifPresent(seen -> to.call(Meters.seconds(watch.age(seen)))));
    }

    private static void tellStates(GaugeWithCallback.Callback to, PoolView.Counts counts) {
        to.call((double) counts.held(), counts.scheme(), "held");
        to.call((double) counts.free(), counts.scheme(), "free");
        to.call((double) counts.cooling(), counts.scheme(), "cooling");
        to.call((double) counts.retired(), counts.scheme(), "retired");
        to.call((double) counts.unreadable(), counts.scheme(), "unreadable");
    }
}
