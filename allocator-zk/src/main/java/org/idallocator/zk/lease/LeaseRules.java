package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.Terms;

/**
 * The home of the rules that bound what a tenure may issue: how far ahead ticks are reserved, until when by the monotonic
 * clock, and when it would have to wait for too long to be of use.
 */
final class LeaseRules {
    private final Clock clock;
    private final Duration window;
    private final Duration maxClockSkew;

    /**
     * The rules of one replica.
     *
     * @param clock this replica's clock
     * @param window how far ahead of the clock ticks are reserved, and the longest wait for a floor
     * @param maxClockSkew the longest wait for the clock to reach a generator's last tick
     */
    LeaseRules(Clock clock, Duration window, Duration maxClockSkew) {
        this.clock = clock;
        this.window = window;
        this.maxClockSkew = maxClockSkew;
    }

    /** How far ahead of the clock ticks are reserved. */
    Duration window() {
        return window;
    }

    /**
     * The ceiling that a tenure may reserve: {@code now + window}, in ticks, inclusive, and never past the scheme's time. A
     * ceiling is never counted from a floor that is ahead: it must stay below the floor of a generation that begins now, see
     * {@link Terms#ahead}.
     *
     * @param micros now, as the {@link LeaderClock} read it
     */
    long ceiling(TickUnit unit, long micros) {
        return Math.min(unit.maxTick(), unit.tickAt(micros) + unit.ticksIn(window));
    }

    /**
     * The monotonic instant at which what a write has reserved is over that was sent at {@code sentNanos}: a window later, and never
     * after the tenure's end, where it has one. Whether the session lives does not matter.
     */
    long deadlineNanos(long sentNanos, OptionalLong endNanos) {
        long deadlineNanos = sentNanos + window.toNanos();
        boolean endsFirst = endNanos.isPresent() && deadlineNanos - endNanos.getAsLong() > 0;
        return endsFirst ? endNanos.getAsLong() : deadlineNanos;
    }

    /**
     * Why a tenure is of no use, so that another slot is claimed in its place; empty when it serves, or will soon. Its floor may be
     * far ahead, because the clock, and ZooKeeper's with it, was set back after the claim: what keeps a tenure that has issued waiting
     * is the clock, and not what others reserved. Or its generator's last tick may be far ahead, because the clock, and ZooKeeper's
     * with it, was far ahead for a while.
     */
    Optional<FencedException> tooLong(Tenure tenure) {
        return tooLong(tenure, clock.micros(), window, maxClockSkew);
    }

    /** The same of a wall time, where longer waits than these for the floor, and for the generator's last tick, are of no use. */
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

    static FencedException cooling(long nanos) {
        return FencedException.of(FenceReason.COOLING, "for " + nanos / 1_000_000 + " ms", Duration.ofNanos(nanos));
    }
}
