package org.idallocator.core.fence;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.jspecify.annotations.Nullable;

/**
 * One tenure's right to issue IDs: with {@code floor <= tick <= ceiling}, both inclusive, before the deadline, and
 * until the fence trips. The floor is fixed. {@link #extend} moves the ceiling and the deadline; the holder of the
 * lease calls it only after ZooKeeper has confirmed them. A fence that has tripped, for whatever reason, never opens
 * again: a new tenure gets a new fence. Thread-safe, wait-free.
 *
 * <p>A generator asks the fence before it takes a tick, and a thread may stop for any time between the two. Such a stop
 * is harmless: the range of ticks belongs to this tenure for ever, even after the fence has tripped.
 */
public final class Fence {
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
     * @param deadlineNanos the end of issuing in {@code clock}'s monotonic time, exclusive: from then on nothing is
     *     issued
     */
    public Fence(Clock clock, long floorTick, long ceilingTick, long deadlineNanos) {
        this.clock = clock;
        this.floorTick = floorTick;
        this.ceilingTick = ceilingTick;
        this.deadlineNanos = deadlineNanos;
    }

    /** A fence without a deadline, for a slot that the program assigns itself. Both ticks are inclusive. */
    public static Fence unbounded(Clock clock, long floorTick, long lastTick) {
        return new Fence(clock, floorTick, lastTick, clock.nanos() + FOREVER_NANOS);
    }

    /**
     * A fence without a deadline, from the tick of {@code clock} to the unit's last tick, both inclusive. A time
     * outside of the unit's ticks counts as the nearest tick. The clock is read once.
     */
    public static Fence fromNow(Clock clock, TickUnit unit) {
        long now = unit.tickAt(clock.micros());
        return unbounded(clock, Math.max(0, Math.min(now, unit.maxTick())), unit.maxTick());
    }

    /** The clock by whose monotonic time the deadline counts. Generators read their ticks by this clock. */
    public Clock clock() {
        return clock;
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

    /** How long until the deadline; zero when it has passed. */
    public Duration untilDeadline() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - clock.nanos()));
    }

    /**
     * Returns when {@code tick}, which is not below the floor, may be issued now.
     *
     * @throws FencedException otherwise; the fence has tripped then
     */
    public void check(long tick) {
        check(tick, clock.nanos());
    }

    /** The same at a monotonic time, in nanoseconds, that {@link #clock} has just given. */
    public void check(long tick, long nanos) {
        long ceiling = ceilingTick;
        FencedException thrown = tick > ceiling ? tripAtCeiling(tick, ceiling) : tripIfOverdue(nanos);
        if (thrown != null) {
            throw thrown;
        }
    }

    private FencedException tripAtCeiling(long tick, long ceiling) {
        return trip(aboveCeiling(tick, ceiling));
    }

    private static FencedException aboveCeiling(long tick, long ceiling) {
        return FencedException.of(FenceReason.CEILING_PASSED, "tick " + tick + " is above the ceiling " + ceiling);
    }

    /**
     * Why {@code tick} is not issued while the ceiling is where it is; null where it is not above. This trips nothing:
     * the ceiling may rise before anybody draws.
     */
    public @Nullable FencedException refusalAbove(long tick) {
        long ceiling = ceilingTick;
        return tick > ceiling ? aboveCeiling(tick, ceiling) : null;
    }

    /** Why the fence has tripped; null while it is open, and where its deadline has passed and nobody has noticed. */
    public @Nullable FencedException trippedFor() {
        return fenced.get();
    }

    /**
     * Trips the fence if the deadline has passed. Whoever notices that trips it, also where nothing is issued: else a
     * renewal could move the deadline after somebody was told that it had passed, and the fence would open again.
     *
     * @return why the fence has tripped, for whatever reason; null while it is open
     */
    public @Nullable FencedException tripIfOverdue() {
        return tripIfOverdue(clock.nanos());
    }

    private @Nullable FencedException tripIfOverdue(long nanos) {
        FencedException earlier = fenced.get();
        long lateNanos = nanos - deadlineNanos;
        return earlier == null && lateNanos >= 0 ? tripAtDeadline(lateNanos) : earlier;
    }

    /** Says when that was by the wall clock: what is kept is repeated for as long as nothing else serves. */
    private FencedException tripAtDeadline(long lateNanos) {
        Instant deadline = Instant.EPOCH.plus(clock.micros() - lateNanos / 1_000, ChronoUnit.MICROS);
        return trip(FenceReason.DEADLINE_PASSED, "the deadline passed at " + deadline.truncatedTo(ChronoUnit.MILLIS));
    }

    /**
     * Publishes the ceiling and the deadline of a confirmed renewal. Neither ever moves back. Only the holder's one
     * thread may call this.
     *
     * @return false when the fence has tripped; ceiling and deadline then stay as they are
     */
    public boolean extend(long newCeilingTick, long newDeadlineNanos) {
        if (tripIfOverdue() != null) {
            return false;
        }
        if (newDeadlineNanos - deadlineNanos > 0) {
            deadlineNanos = newDeadlineNanos;
        }
        ceilingTick = Math.max(ceilingTick, newCeilingTick);
        return true;
    }

    /** Trips the fence, which ends issuing. Returns the first reason for which it tripped. */
    public FencedException trip(FenceReason reason, String detail) {
        return trip(FencedException.of(reason, detail));
    }

    /** The same for an exception that gives the reason. */
    public FencedException trip(FencedException reason) {
        FencedException earlier = fenced.compareAndExchange(null, reason);
        return earlier == null ? reason : earlier;
    }
}
