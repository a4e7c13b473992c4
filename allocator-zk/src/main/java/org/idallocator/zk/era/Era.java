package org.idallocator.zk.era;

import java.time.Instant;
import java.util.List;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Tree;

/**
 * The incarnation of the root together with the generation of one pool, both as they were read. Every claim belongs to
 * one era.
 *
 * @param meta the incarnation
 * @param layout the generation
 */
public record Era(Incarnation meta, Generation layout) {

    /** The operations that make a write to the pool depend on both. */
    public List<Store.Op> checks(Tree tree, SlotPool pool) {
        return meta.checks(tree, Generations.check(tree, pool, layout.node().generation()));
    }

    /** The floor, inclusive: no tenure of this era issues an ID with an earlier time. */
    public Instant floor() {
        return Floors.later(meta.floor(), layout.floor());
    }

    /** The first tick that starts at or after the floor. */
    public long firstTick(TickUnit unit) {
        return Floors.firstTick(unit, floor());
    }
}
