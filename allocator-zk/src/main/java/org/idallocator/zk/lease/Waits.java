package org.idallocator.zk.lease;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.jspecify.annotations.Nullable;

/**
 * Tells when a tenure could not serve for too long, so that its slot is exchanged for one that can. Its floor may be far ahead
 * because the clock, and ZooKeeper's with it, was set back after it was claimed; or its generator's last tick is, because the
 * clock was far ahead for a while and ZooKeeper's with it.
 *
 * @param window the longest wait for a floor
 * @param maxClockSkew the longest wait for the clock to come to where the generator is
 */
record Waits(Clock clock, Duration window, Duration maxClockSkew) {

    /** Why the tenure is no use; null when it serves, or will soon. */
    @Nullable
    FencedException tooLong(Tenure tenure) {
        long micros = clock.micros();
        long untilFloor = tenure.pool().unit().nanosUntil(tenure.fence().floorTick(), micros);
        if (untilFloor > window.toNanos()) {
            return cooling(untilFloor);
        }
        long behind = tenure.nanosBehind(micros);
        return behind > maxClockSkew.toNanos() ? clockBehind(behind) : null;
    }

    /** Throws when the tenure, which is about to be claimed, is no use. */
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
