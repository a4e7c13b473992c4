package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;

/**
 * One successful claim of a slot, and what it may issue. Immutable but for the record's version and transaction, which only the
 * lease loop's thread sets, and for whether its end was told, which any thread may ask.
 */
final class Tenure {
    private final Slot slot;
    private final Claim claim;
    private final Fence fence;
    private final Generator generator;
    private final OwnWrites writes = new OwnWrites();
    private int recordVersion = -1;
    private boolean leftRecord;

    Tenure(Slot slot, Claim claim, Fence fence, Generator generator) {
        this.slot = slot;
        this.claim = claim;
        this.fence = fence;
        this.generator = generator;
    }

    Slot slot() {
        return slot;
    }

    SlotPool pool() {
        return slot.pool();
    }

    String nonce() {
        return claim.lease().nonce();
    }

    /** What the lease node says. */
    LeaseNode lease() {
        return claim.lease();
    }

    /** The session that the lease node belongs to. */
    long session() {
        return claim.session();
    }

    /** The pool's generation under which the slot was claimed. */
    String generation() {
        return claim.generation();
    }

    /** The record by which this tenure reserves every tick up to {@code ceiling}, inclusive. */
    SlotRecord reserving(long ceiling) {
        return SlotRecord.reserved(slot.unit(), ceiling, nonce()).keeping(claim.kept());
    }

    /** The record that this tenure leaves when it ends in order; {@code last} is the last tick that it used. */
    SlotRecord leaving(long last) {
        return SlotRecord.released(slot.unit(), last, nonce()).keeping(claim.kept());
    }

    /** The end of the last tick reserved so far. */
    Instant reservedThrough() {
        return slot.unit().instantAt(fence.ceilingTick() + 1);
    }

    /** The monotonic instant at which the pool's longest tenure ends, exclusive. */
    long endNanos() {
        return claim.endNanos();
    }

    Fence fence() {
        return fence;
    }

    Generator generator() {
        return generator;
    }

    /** Ends issuing for good. Returns the last tick that was used; -1 where none was. */
    long close() {
        long last = generator.close();
        return last >= fence.floorTick() ? last : -1;
    }

    /** The last tick that may have been issued, or may still be: up to the ceiling, while the fence has not tripped. */
    long lastPossible() {
        return fence.fenced() == null ? fence.ceilingTick() : generator.close();
    }

    /** This tenure is about to leave a record that others may go on from. */
    void leavesRecord() {
        leftRecord = true;
    }

    /** Whether it may have left one. */
    boolean hasLeftRecord() {
        return leftRecord;
    }

    int recordVersion() {
        return recordVersion;
    }

    /** This tenure found or wrote the record at this version. */
    void recordVersion(int version) {
        recordVersion = version;
    }

    /** This tenure is about to write the record, which was found at this version, and to reserve up to this ceiling. */
    void writes(int version, long ceiling) {
        writes.begin(version, ceiling);
    }

    /** Whether a record at this version, last written in this transaction, can be of this tenure's own writing. */
    boolean mayHaveLeft(SlotRecord found, int version, long transaction) {
        return found.asOurs().equals(SlotRecord.reserved(slot.unit(), found.ceiling(), nonce()))
                && writes.mayHaveLeft(version, transaction, found.ceiling());
    }

    /** The record is as this tenure has left it. Where the news of a later change has come, the fence trips. */
    void recordIs(int version, long transaction) {
        recordVersion(version);
        if (writes.settled(transaction)) {
            trip();
        }
    }

    /**
     * The record was changed. Trips the fence where it is certain that somebody else did that: whoever writes the record of a slot
     * that serves may let another one issue the same IDs, and every moment counts. Called by the thread that hears of changes.
     *
     * @return whether the slot is to be read back
     */
    boolean recordChanged(long transaction) {
        if (transaction == Store.UNTOLD) {
            return true;
        }
        boolean strangers = writes.isStrangers(transaction);
        if (strangers) {
            trip();
        }
        return strangers;
    }

    private void trip() {
        var unused = fence.trip(FenceReason.RECORD_TAKEN, toString());
    }

    /** Another incarnation has begun, in which the record may be at any version. */
    void forgetRecord() {
        recordVersion = -1;
    }

    /**
     * How many nanoseconds the clock, at a wall time in microseconds, is behind the generator's last ID; 0 when it is not, or
     * by a tick at most, and when nothing was issued yet.
     */
    long nanosBehind(long micros) {
        long nowTick = slot.unit().tickAt(micros);
        long dueTick = generator.dueTick(nowTick);
        boolean behind = dueTick > fence.floorTick() && dueTick > nowTick + 1;
        return behind ? slot.unit().nanosUntil(dueTick, micros) : 0;
    }

    /** The slot as it is held at a wall time in microseconds. */
    HeldSlot held(Tree tree, long micros) {
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Instant through = reservedThrough();
        return new HeldSlot(
                slot.scheme().name(),
                slot.name(),
                lease(),
                through,
                Math.max(0, Duration.between(now, through).toMillis()),
                fence.untilDeadline().toMillis(),
                tree.lease(slot),
                nonce(),
                lease().acquiredAt(),
                fence.floorTick(),
                fence.ceilingTick());
    }

    @Override
    public String toString() {
        return slot + " (tenure " + nonce() + ")";
    }
}
