package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.jspecify.annotations.Nullable;

/**
 * One of a replica's slots of a scheme: the tenure that serves, or why none does. Any thread reads it; only the lease
 * loop's thread changes it.
 */
final class SlotKeeper implements TenureSource<Generator> {
    /** A tenure that ends sooner has hardly served. */
    static final Duration BRIEF = Duration.ofSeconds(1);

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final SchemeSlots slots;
    private final Clock clock;
    private final Duration maxWait;
    private volatile @Nullable Tenure serving;
    private volatile FencedException refusal = FencedException.of(FenceReason.STARTING, "just started");
    private long servedFromNanos;
    private int brief; // how many tenures in a row have hardly served
    private long nextTryNanos;

    /**
     * A keeper without a tenure, one of those of {@code slots}; a wait that is longer than {@code maxWait} counts as a
     * refusal.
     */
    SlotKeeper(SchemeSlots slots, Clock clock, Duration maxWait) {
        this.slots = slots;
        this.clock = clock;
        this.maxWait = maxWait;
        this.nextTryNanos = clock.nanos();
    }

    /** Counts a renewal of this slot's tenure that was due, and was not confirmed. */
    void countFailedRenewal() {
        slots.tally().countFailedRenewal();
    }

    /**
     * Counts a renewal that ZooKeeper has confirmed so long after it was sent; {@code retried}: not at the first try.
     */
    void countRenewal(long nanos, boolean retried) {
        slots.tally().countRenewal(nanos, retried);
    }

    /** Whether both are slots of one scheme, and so of one pool. */
    boolean isBeside(SlotKeeper other) {
        return slots == other.slots;
    }

    /** The slots of the same scheme, of which this is one. */
    SchemeSlots schemeSlots() {
        return slots;
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

    /** From now on this tenure serves. Whoever calls this ends any that did before, and counts that. */
    void serve(Tenure tenure) {
        servedFromNanos = clock.nanos(); // first: what breaks before callers draw leaves the tenure as it was
        tenure.serve();
        serving = tenure;
        slots.tally().countTenure();
        slots.rebalance();
    }

    /** Callers are told why from now on, unless a tenure serves. */
    void refuse(FencedException why) {
        refusal = why;
    }

    /**
     * The tenure, if its fence has tripped: from now on it does not serve, callers are told why, and the next claim may
     * have to wait.
     */
    Optional<Tenure> collect() {
        Tenure tenure = serving;
        FencedException fenced = tenure == null ? null : tenure.fence().tripIfOverdue();
        if (tenure == null || fenced == null) {
            return Optional.empty();
        }
        long now = clock.nanos(); // first: whatever throws, the tenure is not forgotten
        LeaseLog.fenced(tenure, fenced);
        // callers hear of a drain, and of a checkpoint, from the replica's state, until it ends
        boolean resumes = fenced.reason() == FenceReason.DRAINED || fenced.reason() == FenceReason.CHECKPOINT;
        refusal = resumes ? FencedException.of(FenceReason.STARTING, "resumed, waits for ZooKeeper") : fenced;
        serving = null;
        tenure.end(fenced);
        slots.tally().countFence(fenced.reason());
        slots.rebalance();
        if (!resumes) {
            noteServed(now - servedFromNanos);
        }
        long pauseNanos = resumes ? 0 : Math.max(nextTryNanos - now, pauseNanos());
        nextTryNanos = now + pauseNanos;
        return Optional.of(tenure);
    }

    /** Counts how many tenures in a row have served briefly. */
    private void noteServed(long nanos) {
        brief = nanos < BRIEF.toNanos() ? brief + 1 : 0;
    }

    /**
     * How long the next claim waits after a tenure: not at all after the first loss; where tenures end as soon as they
     * begin, one after the other, each time twice as long. So whatever ends them, claims stay few.
     */
    private long pauseNanos() {
        return brief < 2 ? 0 : Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << Math.min(brief - 2, 10));
    }

    long nanosUntilDue() {
        return Math.max(0, nextTryNanos - clock.nanos());
    }

    /** The next claim waits until this instant of the clock. */
    void tryAgainAt(long nanos) {
        nextTryNanos = nanos;
    }

    /**
     * Trips the tenure's fence if its deadline has passed. Whoever tells others whether this slot serves does so first:
     * what they are told stays true then.
     */
    void tripIfOverdue() {
        tenure().ifPresent(tenure -> tenure.fence().tripIfOverdue());
    }

    /** The tenure, unless its fence has tripped. */
    Optional<Tenure> openTenure() {
        return tenure().filter(tenure -> tenure.fence().trippedFor() == null);
    }

    /** Why nothing can be drawn from this slot now; empty while it serves. */
    Optional<FencedException> fenced() {
        Tenure tenure = serving;
        if (tenure == null) {
            return Optional.of(refusal);
        }
        FencedException fenced = tenure.fence().trippedFor();
        return fenced == null ? waiting(tenure) : Optional.of(fenced);
    }

    /** Why draws fail although the fence has not tripped; empty when they do not. */
    private Optional<FencedException> waiting(Tenure tenure) {
        long micros = clock.micros();
        FencedException above = tenure.fence().refusalAbove(slots.pool().unit().tickAt(micros));
        return above == null ? LeaseRules.tooLong(tenure, micros, Duration.ZERO, maxWait) : Optional.of(above);
    }

    @Override
    public String toString() {
        return slots.toString();
    }
}
