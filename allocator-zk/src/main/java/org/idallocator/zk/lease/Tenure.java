package org.idallocator.zk.lease;

import java.time.Instant;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Tree;

/**
 * One successful claim of a slot. Immutable but for the record's version, which only the lease loop's thread uses.
 */
final class Tenure {
    private final String scheme;
    private final SlotPool pool;
    private final long slot;
    private final String nonce;
    private final long session;
    private final String generation;
    private final Instant acquiredAt;
    private final long endNanos;
    private final Fence fence;
    private final Generator generator;
    private int recordVersion = -1;

    Tenure(
            String scheme,
            SlotPool pool,
            long slot,
            String nonce,
            long session,
            String generation,
            Instant acquiredAt,
            long endNanos,
            Fence fence,
            Generator generator) {
        this.scheme = scheme;
        this.pool = pool;
        this.slot = slot;
        this.nonce = nonce;
        this.session = session;
        this.generation = generation;
        this.acquiredAt = acquiredAt;
        this.endNanos = endNanos;
        this.fence = fence;
        this.generator = generator;
    }

    SlotPool pool() {
        return pool;
    }

    long slot() {
        return slot;
    }

    String nonce() {
        return nonce;
    }

    /** The session that the lease node belongs to. */
    long session() {
        return session;
    }

    /** The pool's generation that it was claimed under. */
    String generation() {
        return generation;
    }

    /** The end of the last tick that it reserved. */
    Instant reservedThrough() {
        return pool.unit().instantAt(fence.ceilingTick() + 1);
    }

    /** The monotonic instant at which the pool's longest tenure is over. */
    long endNanos() {
        return endNanos;
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
        long now = pool.unit().tickAt(micros);
        long due = generator.dueTick(now);
        boolean behind = due > fence.floorTick() && due > now + 1;
        return behind ? pool.unit().nanosUntil(due, micros) : 0;
    }

    HeldSlot held(Tree tree) {
        long ceiling = fence.ceilingTick();
        return new HeldSlot(
                scheme,
                pool.nameOf(slot),
                tree.lease(pool, slot),
                nonce,
                acquiredAt,
                reservedThrough(),
                fence.floorTick(),
                ceiling);
    }

    @Override
    public String toString() {
        return scheme + " slot " + pool.nameOf(slot) + " (tenure " + nonce + ")";
    }
}
