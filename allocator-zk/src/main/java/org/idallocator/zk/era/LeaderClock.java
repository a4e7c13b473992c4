package org.idallocator.zk.era;

import static com.google.common.base.Preconditions.checkState;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Vouch;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;

/**
 * Compares the wall clock with ZooKeeper's. Every write comes back with the leader's wall time, and the monotonic clock
 * carries that time on until the next write. So a clock that jumps is noticed before the next reservation, and a
 * machine that is a year ahead cannot reserve a year of a slot.
 *
 * <p>The leader stamped the write at some moment between sending and answering. A clock counts as off only when no such
 * moment would make it right. Not thread-safe, but for {@link #offset}.
 */
public final class LeaderClock {
    private static final long MILLI_MICROS = 1_000;

    private final Clock clock;
    private final long maxSkewMicros;
    private volatile @Nullable Observation last;

    /** What one write told: the leader's wall time, at some moment between sending and answering, in this contact. */
    private record Observation(long leaderMicros, long sentNanos, long answeredNanos, Contact contact) {

        Instant leaderTime() {
            return Instant.ofEpochMilli(leaderMicros / MILLI_MICROS);
        }

        /**
         * The earliest that ZooKeeper's time can be now: the leader stamped the write no later than the answer came.
         */
        long earliest(long nanos) {
            return leaderMicros + (nanos - answeredNanos) / 1_000;
        }

        /** The latest that ZooKeeper's time can be now. */
        long latest(long nanos) {
            return leaderMicros + MILLI_MICROS + (nanos - sentNanos) / 1_000;
        }

        /**
         * How far a wall clock that reads {@code micros} is ahead (negative: behind), at least; 0 when it may be right.
         */
        long skewMicros(long nanos, long micros) {
            return Math.max(0, micros - latest(nanos)) + Math.min(0, micros - earliest(nanos));
        }
    }

    public LeaderClock(Clock clock, Duration maxSkew) {
        this.clock = clock;
        this.maxSkewMicros = maxSkew.toNanos() / 1_000;
    }

    /**
     * Learns the leader's time from a transaction with a write that has just been answered.
     *
     * @param sentNanos when it was sent, on the monotonic clock
     */
    public void observe(Outcome.Confirmed confirmed, long sentNanos) {
        long nanos = clock.nanos();
        Instant answered = Instant.ofEpochMilli(confirmed.leaderMillis());
        Observation seen = last;
        Contact contact = seen == null
                ? new Contact(1, answered)
                : seen.contact()
                        .after(
                                answered,
                                Duration.between(seen.leaderTime(), answered),
                                Duration.ofNanos(nanos - seen.sentNanos()));
        last = new Observation(confirmed.leaderMillis() * MILLI_MICROS, sentNanos, nanos, contact);
    }

    /**
     * The contact with ZooKeeper, as of its last answer that told the time. Whether it is unbroken since then says
     * {@link #isIn}.
     *
     * @throws IllegalStateException before any write has told ZooKeeper's time
     */
    public Contact contact() {
        return seen().contact();
    }

    /**
     * Whether all that was read until now is of the history of this contact: ZooKeeper has told its time not long ago.
     */
    public boolean isIn(Contact contact) {
        Observation seen = last;
        return seen != null
                && seen.contact().number() == contact.number()
                && clock.nanos() - seen.sentNanos() < Contact.LONGEST_GAP.toNanos();
    }

    /**
     * Sees to it that this replica is in contact, and says in which: asks for ZooKeeper's time where it has not told it
     * for long.
     */
    public Contact makeContact(Znodes nodes) {
        if (last == null || !isIn(contact())) {
            ask(nodes);
        }
        return contact();
    }

    /** What this replica knows now of ZooKeeper's history; empty where ZooKeeper has not told its time for long. */
    public Optional<Vouch> vouch() {
        Observation seen = last;
        return seen == null || !isIn(seen.contact())
                ? Optional.empty()
                : Optional.of(new Vouch(seen.contact().since(), seen.leaderTime()));
    }

    /**
     * Whether a node that is there now, and was written at this time, was written in the history of this replica's
     * contact: after the contact began, or so short a time before it that no backup can have come back in between. A
     * time that is still ahead is that of a leader whose clock was wrong, and says nothing.
     */
    public boolean hasSeen(Instant written) {
        boolean ahead = Floors.microsUp(written) > latestMicros() + Contact.LEADERS_APART.toNanos() / 1_000;
        return !ahead && written.isAfter(contact().since().minus(Contact.LONGEST_GAP));
    }

    /** Another replica has been in contact since an earlier time with the history that this contact is with. */
    public void vouched(Instant since) {
        Observation seen = seen();
        last = new Observation(
                seen.leaderMicros(),
                seen.sentNanos(),
                seen.answeredNanos(),
                seen.contact().vouchedFor(since));
    }

    /**
     * How long it is since ZooKeeper was asked for a time that it has told; {@link Long#MAX_VALUE} where it has told
     * none.
     */
    public long nanosSinceAnswered() {
        Observation seen = last;
        return seen == null ? Long.MAX_VALUE : clock.nanos() - seen.sentNanos();
    }

    /** The earliest that ZooKeeper's time can be now, in microseconds since 1970. */
    public long earliestMicros() {
        return seen().earliest(clock.nanos());
    }

    /** The latest that ZooKeeper's time can be now, in microseconds since 1970. */
    public long latestMicros() {
        return seen().latest(clock.nanos());
    }

    private Observation seen() {
        Observation seen = last;
        checkState(seen != null, "no write has told ZooKeeper's time yet");
        return seen;
    }

    /** Asks ZooKeeper for its time, in a transaction that makes, writes and deletes a node. */
    public void ask(Znodes nodes) {
        String path = Tree.newChild(nodes.tree().root(), "clock");
        long askedNanos = clock.nanos();
        Outcome.Confirmed answer = nodes.store()
                .send(Transaction.of(List.of(
                        Store.Op.Create.ephemeral(path, ""),
                        new Store.Op.Write(path, "", 0),
                        new Store.Op.Delete(path, 1))))
                .confirmedOrChanged(path + " cannot be made: the root has gone meanwhile");
        observe(answer, askedNanos);
    }

    /**
     * The time from which the floor of a new incarnation or generation is counted: ZooKeeper's, which this call asks
     * for, or this clock's, whichever is later. A leader whose clock is wrong would give a floor that is below what was
     * reserved, or one that is far ahead. A leader whose clock is only as wrong as is allowed may still be further from
     * the clocks that reserved than this clock is.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when the clocks differ by more than allowed
     */
    public Instant askTimeToBegin(Znodes nodes) {
        ask(nodes);
        Instant own = Instant.EPOCH.plus(requireMicros(), ChronoUnit.MICROS);
        return Floors.later(own, seen().leaderTime());
    }

    /**
     * How far the wall clock is ahead of ZooKeeper's (negative: behind), at least; 0 when it may be right, or nothing
     * is known.
     */
    public long skewMicros() {
        long nanos = clock.nanos();
        long micros = clock.micros();
        Observation seen = last;
        return seen == null ? 0 : seen.skewMicros(nanos, micros);
    }

    /**
     * How far the wall clock is ahead of ZooKeeper's (negative: behind), as a best guess for people: right to half of
     * what the last write took. Empty while nothing is known. May be called from any thread.
     */
    public Optional<Duration> offset() {
        Observation seen = last;
        if (seen == null) {
            return Optional.empty();
        }
        long nanos = clock.nanos();
        long micros = clock.micros();
        return Optional.of(Duration.of(micros - (seen.earliest(nanos) + seen.latest(nanos)) / 2, ChronoUnit.MICROS));
    }

    /** Whether the clock is off by more than allowed. */
    public boolean isOff() {
        return Math.abs(skewMicros()) > maxSkewMicros;
    }

    /**
     * The wall time in microseconds since 1970, after it was found to be right enough. The time is at most
     * {@code maxClockSkew} ahead of ZooKeeper's, however long the answer took that told ZooKeeper's: where the clock
     * may be further ahead, this takes off the rest. Whoever reserves goes by this reading and by no other, because the
     * clock may jump right after it was judged.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when the clock is off by more than allowed,
     *     saying by how much and which way
     * @throws IllegalStateException before any write has told ZooKeeper's time
     */
    public long requireMicros() {
        long nanos = clock.nanos();
        long micros = clock.micros();
        Observation seen = seen();
        long skew = seen.skewMicros(nanos, micros);
        if (Math.abs(skew) > maxSkewMicros) {
            String detail = "the clock is " + Math.abs(skew) / 1_000 + " ms " + (skew > 0 ? "ahead of" : "behind")
                    + " ZooKeeper's, allowed are " + maxSkewMicros / 1_000 + " ms";
            throw FencedException.of(FenceReason.CLOCK_SKEW, detail);
        }
        return Math.min(micros, seen.earliest(nanos) + maxSkewMicros);
    }
}
