package org.idallocator.zk;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps watch over {@code meta}. It is made only on a first start that finds the root empty; a replica that has seen one
 * never makes another, because a missing one means that ZooKeeper lost what it acknowledged. Confined to the lease loop's
 * thread.
 */
final class Root {
    private final Store store;
    private final Tree tree;
    private final OptionalInt clusterId;
    private @Nullable Seen seen;

    /** A meta node that was read, at a version of its data. */
    record Seen(MetaNode node, int version) {

        /**
         * What makes a write depend on this meta. Its version alone would not do: a meta that was removed and restored may have
         * the same again, and a write that was on its way all the time would pass.
         */
        List<Store.Op> checks(Tree tree) {
            return List.of(
                    new Store.Op.Check(tree.meta(), version),
                    new Store.Op.Check(tree.incarnation(node.incarnation()), -1));
        }
    }

    /** A new meta, with the node that is named like its incarnation. */
    static List<Store.Op> creation(Tree tree, MetaNode node) {
        return List.of(
                new Store.Op.Create(tree.meta(), Json.write(node), false),
                new Store.Op.Create(tree.incarnation(node.incarnation()), "", false));
    }

    Root(Store store, Tree tree, OptionalInt clusterId) {
        this.store = store;
        this.tree = tree;
        this.clusterId = clusterId;
    }

    /**
     * The meta node as it is now, made when this is the first start.
     *
     * @throws FencedException {@code META_GONE} when it is missing although the root was used before
     */
    Seen look() {
        Optional<Store.Node> node = store.read(tree.meta());
        if (node.isEmpty() && seen == null) {
            node = makeFirst();
        }
        if (node.isEmpty()) {
            throw Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist");
        }
        Seen found = new Seen(
                Json.read(tree.meta(), node.get().data(), MetaNode.class),
                node.get().version());
        String incarnation = tree.incarnation(found.node().incarnation());
        if (store.read(incarnation).isEmpty()) {
            throw Fencing.of(FenceReason.META_GONE, incarnation + " does not exist");
        }
        seen = found;
        return found;
    }

    private Optional<Store.Node> makeFirst() {
        store.ensure(tree.root());
        store.sync(tree.root());
        if (store.children(tree.root()).isEmpty()) {
            MetaNode first = MetaNode.first(clusterId.isPresent() ? clusterId.getAsInt() : null);
            try {
                store.multi(creation(tree, first));
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.CONFLICT) {
                    throw e;
                }
                // another replica was first; what it made is read below
            }
        }
        return store.read(tree.meta());
    }
}
