package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a tenure would have to wait for too long before it serves, so that another slot is claimed instead. The tenure's
 * floor may be far ahead, because the clock, and ZooKeeper's with it, was set back after the claim. Or its generator's last
 * tick may be far ahead, because the clock, and ZooKeeper's with it, was far ahead for a while.
 *
 * @param clock this replica's clock
 * @param window the longest wait for a floor
 * @param maxClockSkew the longest wait for the clock to reach the generator's last tick
 */
record Waits(Clock clock, Duration window, Duration maxClockSkew) {

    /** Why the tenure is of no use; null when it serves, or will soon. */
    @Nullable
    FencedException tooLong(Tenure tenure) {
        long micros = clock.micros();
        long untilFloorNanos = tenure.pool().unit().nanosUntil(tenure.fence().floorTick(), micros);
        if (untilFloorNanos > window.toNanos()) {
            return cooling(untilFloorNanos);
        }
        long behindNanos = tenure.nanosBehind(micros);
        return behindNanos > maxClockSkew.toNanos() ? clockBehind(behindNanos) : null;
    }

    /** Trips the fence of a tenure that is of no use, so that another slot is claimed in its place. */
    void tripIfTooLong(Tenure tenure) {
        FencedException why = tooLong(tenure);
        if (why != null) {
            tenure.fence().trip(why);
        }
    }

    /** Throws when a tenure that is about to be claimed would be of no use. */
    void refuseIfTooLong(Tenure tenure) {
        FencedException why = tooLong(tenure);
        if (why != null) {
            throw why;
        }
    }

    static FencedException cooling(long nanos) {
        return Fencing.of(FenceReason.COOLING, "for " + nanos / 1_000_000 + " ms", Duration.ofNanos(nanos));
    }

    static FencedException clockBehind(long nanos) {
        return Fencing.of(FenceReason.CLOCK_BEHIND, "the last ID's time is " + nanos / 1_000_000 + " ms ahead");
    }
}
