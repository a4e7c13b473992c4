package org.idallocator.zk.lease;

import java.time.Instant;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.Tree;

/**
 * One successful claim of a slot, and what it may issue. Immutable but for the record's version, which only the lease loop's thread
 * uses.
 */
final class Tenure {
    private final Slot slot;
    private final Claim claim;
    private final Fence fence;
    private final Generator generator;
    private int recordVersion = -1;

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
        return claim.nonce();
    }

    /** The session that the lease node belongs to. */
    long session() {
        return claim.session();
    }

    /** The pool's generation that it was claimed under. */
    String generation() {
        return claim.generation();
    }

    /** The end of the last tick that it reserved. */
    Instant reservedThrough() {
        return slot.unit().instantAt(fence.ceilingTick() + 1);
    }

    /** The monotonic instant at which the pool's longest tenure is over. */
    long endNanos() {
        return claim.endNanos();
    }

    Fence fence() {
        return fence;
    }

    Generator generator() {
        return generator;
    }

    int recordVersion() {
        return recordVersion;
    }

    /** The record was found or written by this tenure at this version. */
    void recordVersion(int version) {
        recordVersion = version;
    }

    /** ZooKeeper's history is another one, in which the record may be at any version. */
    void forgetRecord() {
        recordVersion = -1;
    }

    /**
     * How long, from a wall time on, until the clock is where the generator's last ID was; 0 where it is, or is within the next
     * tick, and where nothing was issued yet.
     */
    long nanosBehind(long micros) {
        long now = slot.unit().tickAt(micros);
        long due = generator.dueTick(now);
        boolean behind = due > fence.floorTick() && due > now + 1;
        return behind ? slot.unit().nanosUntil(due, micros) : 0;
    }

    HeldSlot held(Tree tree) {
        return new HeldSlot(
                slot.scheme().name(),
                slot.name(),
                tree.lease(slot),
                nonce(),
                claim.acquiredAt(),
                reservedThrough(),
                fence.floorTick(),
                fence.ceilingTick());
    }

    @Override
    public String toString() {
        return slot + " (tenure " + nonce() + ")";
    }
}
