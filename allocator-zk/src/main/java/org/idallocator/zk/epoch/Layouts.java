package org.idallocator.zk.epoch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Sees to it that all replicas cut a pool into the same slots and reserve by the same terms: the first one writes both down,
 * and a replica that is configured otherwise serves nothing from that pool.
 */
public final class Layouts {
    private final Nodes nodes;
    private final Tree tree;
    private final Parents parents;
    private final Terms terms;

    /** {@code terms} are the configured ones. */
    public Layouts(Nodes nodes, Terms terms) {
        this.nodes = nodes;
        this.tree = nodes.tree();
        this.parents = new Parents(nodes);
        this.terms = terms;
    }

    /**
     * A layout node that was read.
     *
     * @param version of its data
     * @param leaderMillis when it was written, by ZooKeeper's leader
     */
    public record Seen(LayoutNode node, int version, long leaderMillis) {

        /** Of all tenures under it, inclusive. */
        public Instant floor() {
            return node.floorAt(leaderMillis);
        }

        public String generation() {
            return node.generation();
        }
    }

    /** What makes a write depend on a pool's generation: a name does not come again, a version may. */
    public static Store.Op check(Tree tree, SlotPool pool, String generation) {
        return new Store.Op.Check(tree.generation(pool, generation), -1);
    }

    /**
     * The layout node, which agrees with the configuration and is made when there is none.
     *
     * @param judge agrees with ZooKeeper's time, from which the floor of what begins is counted
     * @throws org.idallocator.core.fence.FencedException {@code LAYOUT_MISMATCH} with what differs, {@code ROLLED_BACK} when the
     *     pool has lost its records
     */
    public Seen agreed(SlotPool pool, Root.Seen meta, ClockJudge judge) {
        parents.ensure(tree.leases(pool), meta); // somebody who removes it frees every slot; it has to come back
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.ensure(tree.index(pool), meta);
        }
        String path = tree.layout(pool);
        Optional<Seen> read = read(nodes, pool);
        if (read.isEmpty()) {
            beginByOwnTerms(pool, meta, judge);
            read = read(nodes, pool);
        }
        Seen found = read.orElseThrow(
                () -> new StoreException(StoreException.Kind.CONFLICT, path + " was removed while it was read"));
        requireAgreed(pool, found.node());
        return found;
    }

    /**
     * Throws unless a replica that is configured like this may serve from the pool.
     *
     * @throws org.idallocator.core.fence.FencedException {@code LAYOUT_MISMATCH} with what differs, {@code ROLLED_BACK} when the
     *     pool has lost its records
     */
    public void requireAgreed(SlotPool pool, LayoutNode theirs) {
        String path = tree.layout(pool);
        String differences = theirs.differences(LayoutNode.first(pool, terms));
        if (!differences.isEmpty()) {
            throw Fencing.of(FenceReason.LAYOUT_MISMATCH, path + ": " + differences);
        }
        if (!theirs.fitsItsName()) {
            throw Fencing.of(
                    FenceReason.LAYOUT_MISMATCH,
                    path + " was edited by hand: it does not fit its generation " + theirs.generation());
        }
        if (!nodes.exists(tree.generation(pool, theirs.generation()))) {
            throw Fencing.of(
                    FenceReason.LAYOUT_MISMATCH, tree.generation(pool, theirs.generation()) + " does not exist");
        }
        if (!nodes.exists(tree.records(pool))) {
            throw Fencing.of(FenceReason.ROLLED_BACK, tree.records(pool) + " is gone");
        }
    }

    /** The layout node as it is now, if there is one; makes and judges nothing. */
    public static Optional<Seen> read(Nodes nodes, SlotPool pool) {
        return nodes.layout(pool)
                .map(read ->
                        new Seen(read.payload(), read.version(), read.node().leaderMillis()));
    }

    /**
     * Of a pool that has records, nobody knows by what terms, nor for which IDs, they were reserved: it begins above them all. Nobody
     * can reserve more meanwhile, because the generation went before the layout did.
     */
    private void beginByOwnTerms(SlotPool pool, Root.Seen meta, ClockJudge judge) {
        boolean used = nodes.exists(tree.records(pool));
        Duration ahead = used ? Terms.largest().ahead() : terms.ahead();
        Instant asked = judge.timeToBegin(nodes).plus(ahead);
        Instant least = Floors.later(asked, new Pools(nodes).reservedThrough(pool));
        begin(pool, LayoutNode.begun(pool, terms, least, ahead), used, meta);
    }

    /** Writes the layout of a pool that nobody has ever used, unless somebody was faster. */
    public void beginUnused(SlotPool pool, LayoutNode first, Root.Seen meta) {
        begin(pool, first, false, meta);
    }

    /**
     * In one transaction with the parent of the records where there was none: records that are gone may not be taken for slots that
     * were never used, and a floor that counts on no earlier generation is not written once there are records.
     */
    private void begin(SlotPool pool, LayoutNode first, boolean used, Root.Seen meta) {
        parents.ensure(tree.leases(pool), meta);
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        if (!used) {
            ops.add(new Store.Op.Create(tree.records(pool), "", false));
        }
        ops.add(new Store.Op.Create(tree.layout(pool), Json.write(first), false));
        ops.add(new Store.Op.Create(tree.generation(pool, first.generation()), "", false));
        var unused = nodes.store().attempt(ops); // where another replica was first, its layout is compared like any
    }
}
