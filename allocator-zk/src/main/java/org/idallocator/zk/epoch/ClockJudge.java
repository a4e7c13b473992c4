package org.idallocator.zk.epoch;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.Store;

/**
 * Compares the wall clock with ZooKeeper's: every write comes back with the leader's wall time, and the monotonic clock
 * carries that on until the next. So a clock that jumps is noticed before the next reservation, and a machine a year ahead
 * cannot reserve a year of a slot.
 *
 * <p>The leader stamped the write somewhere between sending and answering; a clock is off only when no moment in between
 * would make it right. Confined to the lease loop's thread.
 */
public final class ClockJudge {
    private static final long MILLI_MICROS = 1_000;

    private final Clock clock;
    private final long maxSkewMicros;
    private boolean observed;
    private long leaderMicros;
    private long sentNanos;
    private long answeredNanos;

    public ClockJudge(Clock clock, Duration maxSkew) {
        this.clock = clock;
        this.maxSkewMicros = maxSkew.toNanos() / 1_000;
    }

    /** What a write that was sent at {@code sent} (monotonic) and has just been answered says of the leader's clock. */
    public void observe(Store.Written written, long sent) {
        observed = true;
        leaderMicros = written.leaderMillis() * MILLI_MICROS;
        sentNanos = sent;
        answeredNanos = clock.nanos();
    }

    /** Asks ZooKeeper for its time, by a node that is gone again at once. */
    public void ask(Nodes nodes) {
        String path = nodes.tree().root() + "/clock-" + UUID.randomUUID();
        long sent = clock.nanos();
        List<Store.Written> written = nodes.store()
                .multi(List.of(
                        new Store.Op.Create(path, "", true),
                        new Store.Op.Write(path, "", 0),
                        new Store.Op.Delete(path, 1)));
        observe(written.get(0), sent);
    }

    /**
     * The time by which something begins: the later one of ZooKeeper's, told just now, and this clock's. A leader whose clock is wrong
     * would give what begins a floor that is below what was reserved, or one that is far off; and one that is just as wrong as is
     * allowed is further from the clocks that reserved than this one is.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when the clocks differ by more than allowed
     */
    public Instant timeToBegin(Nodes nodes) {
        ask(nodes);
        Instant own = Instant.EPOCH.plus(requireMicros(), ChronoUnit.MICROS);
        return Floors.later(own, Instant.ofEpochMilli(leaderMicros / MILLI_MICROS));
    }

    /** How far the wall clock is ahead of ZooKeeper's (negative: behind), at least; 0 when it may be right. */
    public long skewMicros() {
        return skewMicros(clock.nanos(), clock.micros());
    }

    private long skewMicros(long now, long micros) {
        if (!observed) {
            return 0;
        }
        long earliest = earliest(now);
        long latest = leaderMicros + MILLI_MICROS + (now - sentNanos) / 1_000;
        return micros > latest ? micros - latest : Math.min(0, micros - earliest);
    }

    /** What ZooKeeper's time is now at least: the leader stamped the write at the latest when it was answered. */
    private long earliest(long now) {
        return leaderMicros + (now - answeredNanos) / 1_000;
    }

    /** Whether the clock is off by more than allowed. */
    public boolean off() {
        return Math.abs(skewMicros()) > maxSkewMicros;
    }

    /**
     * The wall time in microseconds since 1970, found to be right enough, and at most {@code maxClockSkew} ahead of ZooKeeper's
     * time, however long the answer took that told it: where it may be further ahead, that much less. Whoever reserves goes by
     * this reading and not by another: the clock may jump right after it was judged.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when the clock is off by more than allowed, saying
     *     by how much and which way
     */
    public long requireMicros() {
        long now = clock.nanos();
        long micros = clock.micros();
        long skew = skewMicros(now, micros);
        if (Math.abs(skew) > maxSkewMicros) {
            String detail = "the clock is " + Math.abs(skew) / 1_000 + " ms " + (skew > 0 ? "ahead of" : "behind")
                    + " ZooKeeper's, allowed are " + maxSkewMicros / 1_000 + " ms";
            throw Fencing.of(FenceReason.CLOCK_SKEW, detail);
        }
        return observed ? Math.min(micros, earliest(now) + maxSkewMicros) : micros;
    }
}
