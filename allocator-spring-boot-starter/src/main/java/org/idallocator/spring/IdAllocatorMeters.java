package org.idallocator.spring;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.LeaseCounts;
import org.idallocator.zk.lease.SchemeStatus;

/**
 * Meters of an allocator, for any registry of Micrometer. They are those of the service that its alerts look at, by the
 * same names where Prometheus reads them: {@code id.allocator.clock.offset} is
 * {@code id_allocator_clock_offset_seconds} there. Reading them asks ZooKeeper nothing. Thread-safe.
 *
 * <p>{@code id.allocator.deadline} and {@code id.allocator.reservation.lead} are those of the slot that has least left,
 * as a scheme's slots change. What is not known is not a number, such as the offset of the clock before the first
 * write.
 */
public final class IdAllocatorMeters implements MeterBinder {
    private static final String NAME = "id.allocator.";
    private static final String SCHEME = "scheme";

    private final IdAllocator allocator;

    /** Those of one allocator. */
    public IdAllocatorMeters(IdAllocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        registerReplica(registry);
        for (Scheme<?> scheme : allocator.schemes()) {
            registerFences(registry, scheme);
        }
        for (Scheme<?> scheme : Schemes.leased(allocator.schemes())) {
            registerSlots(registry, scheme);
            registerCounts(registry, scheme.name());
        }
    }

    private void registerReplica(MeterRegistry registry) {
        Gauge.builder(NAME + "ready", () -> number(isReady()))
                .description("1 while every scheme serves and no drain is announced; else 0")
                .register(registry);
        Gauge.builder(
                        NAME + "zookeeper.unreachable",
                        () -> number(allocator.outage().isPresent()))
                .description(
                        "1 while ZooKeeper gives this replica no answer, and IDs come from what is reserved; else 0")
                .register(registry);
        time("clock.offset", allocator::clockOffset)
                .description(
                        "How far this replica's clock is ahead of ZooKeeper's (negative: behind), by the last write")
                .register(registry);
        time("max.clock.skew", () -> Optional.of(allocator.settings().maxClockSkew()))
                .description("How far this replica's clock may be from ZooKeeper's")
                .register(registry);
    }

    private static int number(boolean holds) {
        return holds ? 1 : 0;
    }

    private boolean isReady() {
        return !allocator.leaving()
                && allocator.schemes().stream().map(allocator::status).allMatch(SchemeStatus::active);
    }

    private static TimeGauge.Builder<Supplier<Number>> time(String name, Supplier<Optional<Duration>> value) {
        return TimeGauge.builder(
                NAME + name,
                () -> value.get().<Number>map(Duration::toMillis).orElse(Double.NaN),
                TimeUnit.MILLISECONDS);
    }

    private void registerFences(MeterRegistry registry, Scheme<?> scheme) {
        for (FenceReason reason : FenceReason.values()) {
            Gauge.builder(NAME + "fenced", () -> number(isFenced(scheme, reason)))
                    .tags(SCHEME, scheme.name(), "reason", reason.code())
                    .description("1 while a scheme issues nothing for this reason; else 0")
                    .register(registry);
        }
    }

    private boolean isFenced(Scheme<?> scheme, FenceReason reason) {
        return allocator
                .status(scheme)
                .fenced()
                .filter(why -> why.reason() == reason)
                .isPresent();
    }

    private void registerSlots(MeterRegistry registry, Scheme<?> scheme) {
        registerSlots(registry, scheme, "serving", SchemeStatus.Slots::serving);
        registerSlots(registry, scheme, "min", SchemeStatus.Slots::leases);
        registerSlots(registry, scheme, "max", SchemeStatus.Slots::leases);
        time("deadline", () -> least(scheme, HeldSlot::deadlineMillis))
                .tag(SCHEME, scheme.name())
                .description("How long until a slot is fenced unless a renewal is confirmed; 0 when it is over")
                .register(registry);
        time("reservation.lead", () -> least(scheme, HeldSlot::timeLeftMillis))
                .tag(SCHEME, scheme.name())
                .description("How far the end of what is reserved is ahead of this replica's clock")
                .register(registry);
        time("window", () -> Optional.of(allocator.settings().window(scheme)))
                .tag(SCHEME, scheme.name())
                .description("How far ahead of its clock this replica reserves")
                .register(registry);
    }

    private void registerSlots(
            MeterRegistry registry, Scheme<?> scheme, String count, ToLongFunction<SchemeStatus.Slots> value) {
        Gauge.builder(
                        NAME + "slots",
                        () -> allocator
                                .status(scheme)
                                .slots()
                                .map(value::applyAsLong)
                                .orElse(0L))
                .tags(SCHEME, scheme.name(), "count", count)
                .description("Slots of a scheme on this replica: how many serve, and how many there are to be")
                .register(registry);
    }

    /** Of all slots of a scheme; empty where none is held. */
    private Optional<Duration> least(Scheme<?> scheme, ToLongFunction<HeldSlot> millis) {
        return allocator.held().stream()
                .filter(slot -> slot.scheme().equals(scheme.name()))
                .map(millis::applyAsLong)
                .min(Long::compare)
                .map(Duration::ofMillis);
    }

    private void registerCounts(MeterRegistry registry, String scheme) {
        count("claims", scheme, LeaseCounts::claims)
                .description("Slots that this replica has claimed")
                .register(registry);
        count("tenures", scheme, LeaseCounts::tenures)
                .description("Tenures that have begun to serve")
                .register(registry);
        for (FenceReason reason : FenceReason.values()) {
            count("fences", scheme, counts -> counts.fences().getOrDefault(reason, 0L))
                    .tag("reason", reason.code())
                    .description("Tenures that serve no more; released and tenure-ended are in order")
                    .register(registry);
        }
        registerRenewals(registry, scheme, "ok", LeaseCounts.Renewals::atOnce);
        registerRenewals(registry, scheme, "retried", LeaseCounts.Renewals::retried);
        registerRenewals(registry, scheme, "failed", LeaseCounts.Renewals::failed);
        FunctionTimer.builder(
                        NAME + "renewal",
                        allocator,
                        from -> sum(from, scheme, counts -> counts.renewals().confirmed()),
                        from -> sum(from, scheme, counts -> counts.renewals().confirmedNanos()),
                        TimeUnit.NANOSECONDS)
                .tag(SCHEME, scheme)
                .description("How long confirmed renewals took, from sending to ZooKeeper's answer")
                .register(registry);
    }

    private void registerRenewals(
            MeterRegistry registry, String scheme, String outcome, ToLongFunction<LeaseCounts.Renewals> value) {
        count("renewals", scheme, counts -> value.applyAsLong(counts.renewals()))
                .tag("outcome", outcome)
                .description("Renewals of tenures: confirmed at once, confirmed after a try, or due and not confirmed")
                .register(registry);
    }

    private FunctionCounter.Builder<IdAllocator> count(String name, String scheme, ToLongFunction<LeaseCounts> value) {
        return FunctionCounter.builder(NAME + name, allocator, from -> sum(from, scheme, value))
                .tag(SCHEME, scheme);
    }

    private static long sum(IdAllocator allocator, String scheme, ToLongFunction<LeaseCounts> value) {
        return allocator.leaseCounts().stream()
                .filter(counts -> counts.scheme().equals(scheme))
                .mapToLong(value)
                .sum();
    }
}
