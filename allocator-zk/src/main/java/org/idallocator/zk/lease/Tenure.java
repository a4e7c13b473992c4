package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.OptionalLong;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.jspecify.annotations.Nullable;

/**
 * One claim of a slot, what it may issue, and how far it has come: from the claim that is being made to the release. It
 * may outlive the session on which it was claimed: its lease is made anew on the next one then. Callers draw from its
 * generator and its fence trips on any thread; its phase, its lease and what it knows of its record belong to the lease
 * loop's thread.
 */
final class Tenure {
    private final Grant grant;
    private final Fence fence;
    private final Generator generator;
    private final RecordHistory record;
    private Phase phase = Phase.CLAIMING;
    private volatile LeaseNode lease; // people ask for it on any thread
    private Contact contact;
    private boolean served;
    private @Nullable Long endTick; // null until the tenure is closed

    /** A tenure that is about to be claimed, by this lease, in this contact with ZooKeeper. */
    Tenure(Grant grant, LeaseNode lease, Contact contact, Fence fence, Generator generator) {
        this.grant = grant;
        this.lease = lease;
        this.contact = contact;
        this.fence = fence;
        this.generator = generator;
        this.record = new RecordHistory(grant.nonce());
    }

    Grant grant() {
        return grant;
    }

    Slot slot() {
        return grant.slot();
    }

    String nonce() {
        return grant.nonce();
    }

    /** What its lease node says, or is to say. */
    LeaseNode lease() {
        return lease;
    }

    /** Whether its lease node belongs to this session, or is to. */
    boolean isOn(Session session) {
        return lease.isOn(session.id());
    }

    /** Its lease node was made anew, on this session. */
    void takeUp(Session session) {
        lease = lease.on(session.id());
    }

    /** Whether what it knows of its record was learned in this contact. */
    boolean isIn(Contact now) {
        return contact.number() == now.number();
    }

    /** Its record was read in this contact, and is as the tenure has left it. */
    void goOnIn(Contact now) {
        contact = now;
    }

    Fence fence() {
        return fence;
    }

    Generator generator() {
        return generator;
    }

    /** What this tenure knows of its record by its own writes. */
    RecordHistory record() {
        return record;
    }

    /**
     * The record is as this tenure has left it, at this version: what it reserves may be issued. The deadline stays
     * where it is.
     */
    void confirm(int version, SlotRecord left) {
        confirm(version, left, fence.deadlineNanos());
    }

    /**
     * The same, and ZooKeeper has said so by a plain OK: the deadline moves, too. Where the fence has tripped, it stays
     * so.
     */
    void confirm(int version, SlotRecord left, long deadlineNanos) {
        record.confirm(version, left);
        fence.extend(left.ceiling(), deadlineNanos);
    }

    Phase phase() {
        return phase;
    }

    /** Whether callers have drawn from this tenure, or could have. */
    boolean hasServed() {
        return served;
    }

    /** Callers draw from this tenure from now on. */
    void serve() {
        moveTo(Phase.SERVING);
        served = true;
    }

    /** Ends serving, and trips the fence for this reason unless it has tripped before. Returns why it has tripped. */
    FencedException end(FencedException reason) {
        FencedException why = fence.trip(reason);
        moveTo(Phase.FENCED);
        return why;
    }

    /**
     * Ends issuing for good: no tick above the last used one can be issued any more. Does nothing where that was done
     * before.
     */
    void close() {
        if (phase != Phase.CLOSED) {
            endTick = generator.close(); // first, so that it is final
            fence.trip(FenceReason.RELEASED, "in order");
            moveTo(Phase.CLOSED);
        }
    }

    /** Nothing is left to release of this tenure, or its lease ends with its session. */
    void forget() {
        moveTo(Phase.GONE);
    }

    private void moveTo(Phase next) {
        if (!phase.leadsTo(next)) {
            throw new IllegalStateException(this + " is " + phase + " and cannot be " + next);
        }
        phase = next;
    }

    /** The last tick that was used of a tenure that is closed; empty where none was. */
    OptionalLong lastUsedTick() {
        long last = endTick();
        return last >= fence.floorTick() ? OptionalLong.of(last) : OptionalLong.empty();
    }

    /**
     * The tick at which a tenure ends that is closed: the last one that was used, by it or by the tenure that it goes
     * on from; where none was, the one before its floor.
     */
    long endTick() {
        return Objects.requireNonNull(endTick);
    }

    /** The last tick that may have been issued, or may still be: any up to the ceiling, until the tenure is closed. */
    long lastPossibleTick() {
        Long end = endTick;
        return end == null ? fence.ceilingTick() : end;
    }

    /** The end of the last tick reserved so far. */
    Instant reservedThrough() {
        return slot().unit().instantAt(fence.ceilingTick() + 1);
    }

    /**
     * How many nanoseconds the clock, at a wall time in microseconds, is behind the generator's last ID; 0 when it is
     * not, or by a tick at most, and when nothing was issued yet.
     */
    long nanosBehind(long micros) {
        long nowTick = slot().unit().tickAt(micros);
        long dueTick = generator.dueTick(nowTick);
        boolean behind = dueTick > fence.floorTick() && dueTick > nowTick + 1;
        return behind ? slot().unit().nanosUntil(dueTick, micros) : 0;
    }

    /** The slot as it is held at a wall time in microseconds. */
    HeldSlot held(Tree tree, long micros) {
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Instant through = reservedThrough();
        LeaseNode held = lease;
        return new HeldSlot(
                slot().scheme().name(),
                slot().name(),
                held,
                through,
                Math.max(0, Duration.between(now, through).toMillis()),
                fence.untilDeadline().toMillis(),
                tree.lease(slot()),
                nonce(),
                held.acquiredAt(),
                fence.floorTick(),
                fence.ceilingTick());
    }

    @Override
    public String toString() {
        return slot() + " (tenure " + nonce() + ")";
    }
}
