package org.idallocator.zk.era;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * The incarnation of the root, as its meta node was read.
 *
 * @param version the version of the node's data
 * @param leaderMillis when the node was written, by the clock of ZooKeeper's leader
 */
public record Incarnation(MetaNode node, int version, long leaderMillis) {

    /** What was read of meta, which must be readable. */
    public static Incarnation of(Znodes.Found<MetaNode> found) {
        return new Incarnation(found.get(), found.version(), found.node().leaderMillis());
    }

    /** The floor of all tenures under this meta, inclusive. */
    public Instant floor() {
        return node.floorAt(leaderMillis);
    }

    /**
     * The operations that make others depend on this meta, and these others. The version alone would not do: a meta
     * that was removed and restored may have the same version again, and a write that was on its way all the time would
     * pass.
     */
    public List<Store.Op> checks(Tree tree, Store.Op... others) {
        List<Store.Op> ops = new ArrayList<>();
        ops.add(new Store.Op.Check(tree.meta(), version));
        ops.add(Store.Op.Check.exists(tree.incarnation(node.incarnation())));
        ops.addAll(List.of(others));
        return ops;
    }

    /** The operations that remove meta. The root keeps meta's floor, or {@code reservedThrough} where that is later. */
    public List<Store.Op> removal(Tree tree, Instant reservedThrough) {
        return List.of(
                Store.Op.Write.whateverVersion(
                        tree.root(), Floors.later(floor(), reservedThrough).toString()),
                Store.Op.Delete.whateverVersion(tree.incarnation(node.incarnation())),
                new Store.Op.Delete(tree.meta(), version));
    }
}
