package org.idallocator.zk.lease;

import com.google.common.collect.Comparators;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.Terms;

/**
 * The home of the rules that bound what a tenure may issue: how far ahead ticks are reserved, until when by the
 * monotonic clock, and when it would have to wait for too long to be of use.
 */
final class LeaseRules {
    private static final int RENEWALS_PER_WINDOW = 4;
    private static final int RENEWALS_PER_LONG_WINDOW = 20;

    /** So often ZooKeeper tells its time at least, so that an answer may be lost and the contact be unbroken. */
    static final Duration LONGEST_SILENCE = Duration.ofSeconds(6);

    private final Clock clock;
    private final Function<SlotPool, Terms> terms;

    /**
     * The rules of one replica.
     *
     * @param clock this replica's clock
     * @param terms those of each pool
     */
    LeaseRules(Clock clock, Function<SlotPool, Terms> terms) {
        this.clock = clock;
        this.terms = terms;
    }

    /** The terms by which ticks of a pool are reserved. */
    Terms terms(SlotPool pool) {
        return terms.apply(pool).boundedBy(pool);
    }

    /**
     * The ceiling that a tenure may reserve: {@code now + window}, in ticks, inclusive, and neither past the scheme's
     * time nor a tick after the tenure's end. A ceiling is never counted from a floor that is ahead: it must stay below
     * the floor of a generation that begins now, see {@link Terms#ahead}.
     *
     * @param micros now, as the {@link LeaderClock} read it
     * @param endNanos the monotonic instant at which the tenure ends; empty where it has none
     */
    long ceiling(SlotPool pool, long micros, OptionalLong endNanos) {
        TickUnit unit = pool.unit();
        Duration ahead = terms(pool).window();
        if (endNanos.isPresent()) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos.getAsLong() - clock.nanos()));
            ahead = Comparators.min(ahead, left.plus(unit.tickMicros(), ChronoUnit.MICROS));
        }
        return Math.min(unit.maxTick(), unit.tickAt(micros) + unit.ticksIn(ahead));
    }

    /** How often the slots of these pools are renewed, all together: as often as one of them needs. */
    Duration renewalPeriod(List<SlotPool> pools, Duration sessionTimeout) {
        return pools.stream()
                .map(pool -> renewalPeriod(terms(pool).window(), sessionTimeout))
                .reduce(Comparators::min)
                .orElse(LONGEST_SILENCE);
    }

    /**
     * Each quarter of the window, or of the session timeout where that is shorter; where the window is long, each
     * twentieth of it. And never so seldom that the contact with ZooKeeper might break.
     */
    private static Duration renewalPeriod(Duration window, Duration sessionTimeout) {
        Duration usual = Comparators.min(window, sessionTimeout).dividedBy(RENEWALS_PER_WINDOW);
        Duration ofLong = window.dividedBy(RENEWALS_PER_LONG_WINDOW);
        return Comparators.min(LONGEST_SILENCE, Comparators.max(usual, ofLong));
    }

    /**
     * The monotonic instant at which what a write has reserved is over that was sent at {@code sentNanos}: a window
     * later, and never after the tenure's end, where it has one. Whether the session lives does not matter.
     */
    long deadlineNanos(SlotPool pool, long sentNanos, OptionalLong endNanos) {
        long deadlineNanos = sentNanos + terms(pool).window().toNanos();
        boolean endsFirst = endNanos.isPresent() && deadlineNanos - endNanos.getAsLong() > 0;
        return endsFirst ? endNanos.getAsLong() : deadlineNanos;
    }

    /**
     * Why a tenure is of no use, so that another slot is claimed in its place; empty when it serves, or will soon. Its
     * floor may be far ahead, because the clock, and ZooKeeper's with it, was set back after the claim: what keeps a
     * tenure that has issued waiting is the clock, and not what others reserved. Or its generator's last tick may be
     * far ahead, because the clock, and ZooKeeper's with it, was far ahead for a while.
     */
    Optional<FencedException> tooLong(Tenure tenure) {
        Terms its = terms(tenure.slot().pool());
        return tooLong(tenure, clock.micros(), its.window(), its.maxClockSkew());
    }

    /**
     * The same of a wall time, where longer waits than these for the floor, and for the generator's last tick, are of
     * no use.
     */
    static Optional<FencedException> tooLong(Tenure tenure, long micros, Duration forFloor, Duration forLastTick) {
        long untilFloorNanos = tenure.slot().unit().nanosUntil(tenure.fence().floorTick(), micros);
        if (untilFloorNanos > forFloor.toNanos()) {
            return Optional.of(
                    tenure.generator().hasIssued()
                            ? behind("the tenure's first tick", untilFloorNanos)
                            : cooling(untilFloorNanos));
        }
        long behindNanos = tenure.nanosBehind(micros);
        return behindNanos > forLastTick.toNanos()
                ? Optional.of(behind("the last ID's time", behindNanos))
                : Optional.empty();
    }

    private static FencedException behind(String what, long nanos) {
        return FencedException.of(FenceReason.CLOCK_BEHIND, what + " is " + nanos / 1_000_000 + " ms ahead");
    }

    /** Where nobody can tell yet whether ZooKeeper has lost something. */
    static FencedException forgotten(long nanos) {
        String detail = "for " + nanos / 1_000_000
                + " ms: a backup of ZooKeeper may have come back, and no replica that serves says that none has; if you know that"
                + " none has, fence-restore --nothing-restored TIME ends the wait";
        return FencedException.of(FenceReason.COOLING, detail, Duration.ofNanos(nanos));
    }

    static FencedException cooling(long nanos) {
        return FencedException.of(FenceReason.COOLING, "for " + nanos / 1_000_000 + " ms", Duration.ofNanos(nanos));
    }
}
