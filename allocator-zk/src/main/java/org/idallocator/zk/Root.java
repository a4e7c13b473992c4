package org.idallocator.zk;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps watch over {@code meta}. Whoever serves and finds the root empty begins an incarnation, be it a first start or after
 * ZooKeeper lost everything: nobody can tell the two apart, so its floor is above all that replicas of this configuration may
 * have reserved, see {@link Terms#ahead}. A meta that is missing beside other nodes is another matter, and an operator's.
 */
final class Root {
    private static final Logger LOG = LoggerFactory.getLogger(Root.class);

    private final Store store;
    private final Tree tree;
    private final OptionalInt clusterId;
    private final Duration ahead;

    /**
     * A meta node that was read.
     *
     * @param version of its data
     * @param floor of all tenures under it, inclusive
     */
    record Seen(MetaNode node, int version, Instant floor) {

        /**
         * What makes a write depend on this meta. Its version alone would not do: a meta that was removed and restored may have
         * the same again, and a write that was on its way all the time would pass.
         */
        List<Store.Op> checks(Tree tree) {
            return List.of(
                    new Store.Op.Check(tree.meta(), version),
                    new Store.Op.Check(tree.incarnation(node.incarnation()), -1));
        }

        /** Takes meta away. */
        List<Store.Op> removal(Tree tree) {
            return List.of(
                    changed(tree, -1),
                    new Store.Op.Delete(tree.incarnation(node.incarnation()), -1),
                    new Store.Op.Delete(tree.meta(), version));
        }
    }

    /** A new meta, with the node that is named like its incarnation; {@code rootVersion} as it was when there was none. */
    static List<Store.Op> creation(Tree tree, MetaNode node, int rootVersion) {
        return List.of(
                changed(tree, rootVersion),
                new Store.Op.Create(tree.meta(), Json.write(node), false),
                new Store.Op.Create(tree.incarnation(node.incarnation()), "", false));
    }

    /** Whenever meta comes or goes, the root's version rises: who found it empty before can tell. */
    private static Store.Op changed(Tree tree, int rootVersion) {
        return new Store.Op.Write(tree.root(), "", rootVersion);
    }

    /** {@code ahead} is how far the floor of an incarnation that begins here is above ZooKeeper's time. */
    Root(Store store, Tree tree, OptionalInt clusterId, Duration ahead) {
        this.store = store;
        this.tree = tree;
        this.clusterId = clusterId;
        this.ahead = ahead;
    }

    /**
     * The meta node as it is now; where the root is empty, one that this has just begun.
     *
     * @param leastFloor of what this begins; it is above what the caller knows to be reserved
     * @throws FencedException {@code META_GONE} when it is missing although there are other nodes
     */
    Seen look(Instant leastFloor) {
        Optional<Seen> found = read(store, tree);
        if (found.isEmpty()) {
            begin(MetaNode.begun(clusterId.isPresent() ? clusterId.getAsInt() : null, leastFloor, ahead));
            found = read(store, tree);
        }
        return found.orElseThrow(() -> Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist"));
    }

    /**
     * The meta node as it is now, if there is one; makes nothing.
     *
     * @throws FencedException {@code META_GONE} when it is there without its incarnation
     */
    static Optional<Seen> read(Store store, Tree tree) {
        return store.read(tree.meta()).map(node -> {
            MetaNode meta = Json.read(tree.meta(), node.data(), MetaNode.class);
            String incarnation = tree.incarnation(meta.incarnation());
            if (store.read(incarnation).isEmpty()) {
                throw Fencing.of(FenceReason.META_GONE, incarnation + " does not exist");
            }
            return new Seen(meta, node.version(), meta.floorAt(node.leaderMillis()));
        });
    }

    /** Begins an incarnation if the root is empty; false when it was not, or somebody was faster. */
    boolean begin(MetaNode first) {
        store.ensure(tree.root());
        store.sync(tree.root());
        Optional<Store.Node> root = store.read(tree.root());
        if (root.isEmpty() || !store.children(tree.root()).isEmpty()) {
            return false;
        }
        boolean begun = store.attempt(creation(tree, first, root.get().version()));
        if (begun) {
            LOG.info("began {} in the empty root {}", first, tree.root());
        }
        return begun;
    }
}
