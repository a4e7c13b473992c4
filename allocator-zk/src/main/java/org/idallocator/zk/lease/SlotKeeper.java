package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Fencing;
import org.jspecify.annotations.Nullable;

/**
 * One of a replica's slots of a scheme: the tenure that serves, or why none does. Callers read a keeper from any thread; only the
 * lease loop's thread changes it.
 */
final class SlotKeeper implements TenureSource<Generator> {
    /** A tenure that ends sooner has hardly served. */
    static final Duration BRIEF = Duration.ofSeconds(1);

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final LeaseTally tally;
    private final Clock clock;
    private final long maxWaitNanos;
    private final Runnable changed;
    private volatile @Nullable Tenure serving;
    private volatile FencedException refusal = Fencing.of(FenceReason.STARTING, "just started");
    private long servedFromNanos;
    private int brief; // how many tenures in a row have hardly served
    private long nextTryNanos;

    /**
     * A keeper without a tenure.
     *
     * @param scheme one with slots
     * @param tally counts what becomes of the tenures
     * @param maxWait how long a call may wait for the next tick: a longer wait counts as a refusal
     * @param changed is called, on the lease loop's thread, when another tenure serves or none does any more
     */
    SlotKeeper(Scheme<?> scheme, LeaseTally tally, Clock clock, Duration maxWait, Runnable changed) {
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.tally = tally;
        this.clock = clock;
        this.maxWaitNanos = maxWait.toNanos();
        this.changed = changed;
        this.nextTryNanos = clock.nanos();
    }

    Scheme<?> scheme() {
        return scheme;
    }

    SlotPool pool() {
        return pool;
    }

    @Override
    public Generator current() {
        Tenure tenure = serving;
        if (tenure == null) {
            throw refusal;
        }
        return tenure.generator();
    }

    Optional<Tenure> tenure() {
        return Optional.ofNullable(serving);
    }

    /** Counts what becomes of the scheme's leases. */
    LeaseTally tally() {
        return tally;
    }

    /** From now on this tenure serves. Whoever calls this ends any that did before, and counts that. */
    void serve(Tenure tenure) {
        servedFromNanos = clock.nanos();
        serving = tenure;
        tally.tenureBegan();
        changed.run();
    }

    /** No tenure serves: callers are told why from now on. */
    void refuse(FencedException why) {
        refusal = why;
    }

    /** The tenure, if its fence has tripped: from now on it does not serve, callers are told why, and the next claim may have to wait. */
    Optional<Tenure> collect() {
        Tenure tenure = serving;
        if (tenure == null) {
            return Optional.empty();
        }
        FencedException fenced = tenure.fence().fenced();
        if (fenced == null) {
            return Optional.empty();
        }
        long now = clock.nanos(); // first: whatever throws, the tenure is not forgotten
        LeaseLog.fenced(tenure, fenced);
        boolean drained =
                fenced.reason() == FenceReason.DRAINED; // callers hear of that from the replica's state, until it ends
        refusal = drained ? Fencing.of(FenceReason.STARTING, "resumed, waits for ZooKeeper") : fenced;
        serving = null;
        tally.fenced(fenced.reason());
        changed.run();
        long pauseNanos = drained ? 0 : Math.max(nextTryNanos - now, pauseNanos(now - servedFromNanos));
        nextTryNanos = now + pauseNanos;
        return Optional.of(tenure);
    }

    /**
     * How long the next claim waits after a tenure that served for so long: not at all after the first loss; where tenures end as soon
     * as they begin, one after the other, each time twice as long. So whatever ends them, claims stay few.
     */
    private long pauseNanos(long servedNanos) {
        brief = servedNanos < BRIEF.toNanos() ? brief + 1 : 0;
        return brief < 2 ? 0 : Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << Math.min(brief - 2, 10));
    }

    long nanosUntilDue() {
        return Math.max(0, nextTryNanos - clock.nanos());
    }

    void tryAgainIn(long nanos) {
        nextTryNanos = clock.nanos() + nanos;
    }

    /** Why nothing can be drawn from this slot now; empty while it serves. */
    Optional<FencedException> fenced() {
        Tenure tenure = serving;
        if (tenure == null) {
            return Optional.of(refusal);
        }
        FencedException fenced = tenure.fence().fenced();
        return Optional.ofNullable(fenced == null ? waiting(tenure) : fenced);
    }

    /** The tenure, unless its fence has tripped. */
    Optional<Tenure> open() {
        return tenure().filter(tenure -> tenure.fence().fenced() == null);
    }

    /** Why draws fail although the fence has not tripped; null when they do not. */
    private @Nullable FencedException waiting(Tenure tenure) {
        long micros = clock.micros();
        long untilFloorNanos = pool.unit().nanosUntil(tenure.fence().floorTick(), micros);
        if (untilFloorNanos > 0) {
            return Reservation.cooling(untilFloorNanos);
        }
        long tick = pool.unit().tickAt(micros);
        if (tick > tenure.fence().ceilingTick()) {
            return Fencing.of(
                    FenceReason.CEILING_PASSED,
                    "tick " + tick + " is above the ceiling " + tenure.fence().ceilingTick());
        }
        long behindNanos = tenure.nanosBehind(micros);
        return behindNanos > maxWaitNanos ? Reservation.clockBehind(behindNanos) : null;
    }

    @Override
    public String toString() {
        return scheme.name();
    }
}
