package org.idallocator.zk.era;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@code meta}, and begins incarnations. Whoever serves and finds the root empty begins one, on a first start or
 * after ZooKeeper lost everything. Nobody can tell the two apart, so the new floor lies above all that replicas of this
 * configuration may have reserved, see {@link Terms#ahead}. Where meta is missing beside other nodes, no replica
 * begins: that is an operator's task.
 */
public final class Incarnations {
    private static final Logger LOG = LoggerFactory.getLogger(Incarnations.class);

    private final Znodes nodes;
    private final OptionalInt clusterId;
    private final Duration ahead;
    private final LeaderClock leaderClock;

    /**
     * For whoever may begin incarnations. Whoever only reads asks without this.
     *
     * @param clusterId what an incarnation that begins here says of the cluster
     * @param ahead how far the floor of an incarnation that begins here is ahead of the time that {@code leaderClock}
     *     tells
     * @param leaderClock tells the time from which that floor is counted
     */
    public Incarnations(Znodes nodes, OptionalInt clusterId, Duration ahead, LeaderClock leaderClock) {
        this.nodes = nodes;
        this.clusterId = clusterId;
        this.ahead = ahead;
        this.leaderClock = leaderClock;
    }

    /**
     * The transaction that makes meta, with the node that is named like its incarnation. {@code rootVersion} is the
     * root's version when there was no meta: it rises whenever meta comes or goes, so nobody begins who found an older
     * root. The root keeps the earliest that the floor can be, in case somebody deletes meta.
     */
    public static Transaction creation(Tree tree, MetaNode node, int rootVersion) {
        return creation(tree, node, rootVersion, List.of());
    }

    /** The same, which does more besides. */
    private static Transaction creation(Tree tree, MetaNode node, int rootVersion, List<Store.Op> more) {
        Store.Op.Create named = Store.Op.Create.persistent(tree.incarnation(node.incarnation()));
        List<Store.Op> ops = new ArrayList<>(List.of(
                new Store.Op.Write(tree.root(), node.floor().toString(), rootVersion),
                Store.Op.Create.persistent(tree.meta(), Json.write(node))));
        ops.addAll(more);
        ops.add(named);
        return Transaction.of(ops).witnessedBy(named);
    }

    /** The floor of the last meta, which the root keeps; 1970 where it keeps none. */
    public static Instant lastFloor(Store.Node root) {
        return Floors.parse(root.data()).orElse(Instant.EPOCH);
    }

    /**
     * The meta node as it is now. Where the root is empty, this begins an incarnation.
     *
     * @param reservedThrough until when the caller knows ticks to be reserved: a new floor is not before that
     * @throws FencedException {@code META_GONE} when meta is missing beside other nodes; {@code CLOCK_SKEW} when an
     *     incarnation would have to begin and the clocks differ
     */
    public Incarnation readOrBegin(Instant reservedThrough) {
        return read(nodes).orElseGet(() -> {
            begin(reservedThrough);
            return present(nodes);
        });
    }

    /**
     * Asks for ZooKeeper's time after the root was found empty, and counts the earliest floor from it. The
     * transaction's own time comes later, but another leader may tell it.
     */
    private void begin(Instant reservedThrough) {
        makeRoot(nodes);
        Optional<Store.Node> root = emptyRoot(nodes);
        if (root.isPresent()) {
            Instant known = Floors.later(reservedThrough, lastFloor(root.get()));
            Instant least = Floors.least(known, leaderClock.askTimeToBegin(nodes), ahead);
            MetaNode meta = MetaNode.begun(clusterId.isPresent() ? clusterId.getAsInt() : null, least, ahead, Map.of());
            var unused = begin(nodes, meta, root.get().version(), List.of());
        }
    }

    /**
     * The meta node as it is now, if there is one. Makes nothing.
     *
     * @throws FencedException {@code META_GONE} when the node is there and the one named like its incarnation is not
     */
    public static Optional<Incarnation> read(Znodes nodes) {
        return nodes.meta().map(found -> {
            String incarnation = nodes.tree().incarnation(found.get().incarnation());
            if (!nodes.exists(incarnation)) {
                throw FencedException.of(FenceReason.META_GONE, incarnation + " does not exist");
            }
            return Incarnation.of(found);
        });
    }

    /** The same; throws {@code META_GONE} also where there is no meta node. */
    public static Incarnation present(Znodes nodes) {
        return read(nodes)
                .orElseThrow(() ->
                        FencedException.of(FenceReason.META_GONE, nodes.tree().meta() + " does not exist"));
    }

    /**
     * Begins an incarnation on the caller's promise that the root is new, in one transaction with what makes its pools.
     * False when the root is not empty, or keeps a floor, 1970 or another: then it had an incarnation.
     */
    public static boolean beginFirst(Znodes nodes, MetaNode first, List<Store.Op> pools) {
        makeRoot(nodes);
        return emptyRoot(nodes)
                .filter(root -> Floors.parse(root.data()).isEmpty())
                .filter(root -> begin(nodes, first, root.version(), pools))
                .isPresent();
    }

    /** Makes the root if need be. */
    private static void makeRoot(Znodes nodes) {
        nodes.store().ensure(nodes.tree().root());
    }

    /** The root as it is now; empty when it has children. */
    private static Optional<Store.Node> emptyRoot(Znodes nodes) {
        Store store = nodes.store();
        String path = nodes.tree().root();
        store.sync(path);
        return store.read(path).filter(root -> store.children(path).isEmpty());
    }

    private static boolean begin(Znodes nodes, MetaNode meta, int rootVersion, List<Store.Op> more) {
        boolean created = nodes.store()
                .commit(creation(nodes.tree(), meta, rootVersion, more))
                .wasApplied();
        if (created) {
            String root = nodes.tree().root();
            LOG.info("began incarnation {} in the empty root {}", meta.incarnation(), root);
        }
        return created;
    }
}
