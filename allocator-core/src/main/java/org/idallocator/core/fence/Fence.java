package org.idallocator.core.fence;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.jspecify.annotations.Nullable;

/**
 * One tenure's right to issue: IDs with {@code floor <= tick <= ceiling} (both inclusive), before the deadline, until
 * the fence trips. Floor is fixed; ceiling and deadline move by {@link #extend}, which the holder of the lease calls
 * only after ZooKeeper confirmed them. A fence that has tripped, for whatever reason, never opens again: a new tenure
 * gets a new one. Thread-safe, wait-free.
 *
 * <p>The check precedes the taking of a tick, and a thread may stop for any time between the two. That is harmless: the
 * range of ticks stays this tenure's own for ever, also after the fence has tripped.
 */
public final class Fence {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long FOREVER_NANOS = Long.MAX_VALUE / 2;

    private final Clock clock;
    private final long floorTick;
    private final AtomicReference<@Nullable FencedException> fenced = new AtomicReference<>();
    private volatile long ceilingTick;
    private volatile long deadlineNanos;

    /**
     * An open fence.
     *
     * @param floorTick first tick of the tenure, inclusive
     * @param ceilingTick last tick reserved so far, inclusive
     * @param deadlineNanos the instant on {@code clock}'s monotonic time from which nothing may be issued, exclusive
     */
    public Fence(Clock clock, long floorTick, long ceilingTick, long deadlineNanos) {
        this.clock = clock;
        this.floorTick = floorTick;
        this.ceilingTick = ceilingTick;
        this.deadlineNanos = deadlineNanos;
    }

    /** For slots that a program assigns itself, without ZooKeeper: {@code floorTick} to {@code lastTick}, no deadline. */
    public static Fence unbounded(Clock clock, long floorTick, long lastTick) {
        return new Fence(clock, floorTick, lastTick, clock.nanos() + FOREVER_NANOS);
    }

    /**
     * The same from now on, to the unit's last tick: the floor is the tick of {@code clock}, which is read once. Before tick 0
     * that is tick 0, after the last the last.
     */
    public static Fence fromNow(Clock clock, TickUnit unit) {
        long now = unit.tickAt(clock.micros());
        return unbounded(clock, Math.max(0, Math.min(now, unit.maxTick())), unit.maxTick());
    }

    public long floorTick() {
        return floorTick;
    }

    public long ceilingTick() {
        return ceilingTick;
    }

    public long deadlineNanos() {
        return deadlineNanos;
    }

    /**
     * Passes when {@code tick}, at or above the floor, may be issued now.
     *
     * @throws FencedException otherwise, now and for ever after
     */
    public void check(long tick) {
        long ceiling = ceilingTick;
        FencedException thrown = tick > ceiling ? passedCeiling(tick, ceiling) : fenced();
        if (thrown != null) {
            throw thrown;
        }
    }

    private FencedException passedCeiling(long tick, long ceiling) {
        return trip(FenceReason.CEILING_PASSED, "tick " + tick + " is above the ceiling " + ceiling);
    }

    /** Whether issuing is over, and why; also notices a deadline that has just passed. */
    public @Nullable FencedException fenced() {
        long lateNanos = clock.nanos() - deadlineNanos;
        if (lateNanos >= 0) {
            return trip(FenceReason.DEADLINE_PASSED, "the deadline passed " + lateNanos / 1_000_000 + " ms ago");
        }
        return fenced.get();
    }

    /**
     * Publishes what a confirmed renewal gave; without effect once the fence has tripped, and false then. Never moves anything back. For one
     * thread, the holder's.
     */
    public boolean extend(long newCeilingTick, long newDeadlineNanos) {
        if (fenced() != null) {
            return false;
        }
        if (newDeadlineNanos - deadlineNanos > 0) {
            deadlineNanos = newDeadlineNanos;
        }
        ceilingTick = Math.max(ceilingTick, newCeilingTick);
        return true;
    }

    /** Trips the fence: nothing is issued any more. The first reason stays, and is what this returns. */
    public FencedException trip(FenceReason reason, String detail) {
        return trip(new FencedException(reason, reason.sentence() + " (" + detail + ")", RETRY));
    }

    /** The same, for a reason that was put into words already. */
    public FencedException trip(FencedException reason) {
        FencedException earlier = fenced.compareAndExchange(null, reason);
        return earlier == null ? reason : earlier;
    }
}
