package org.idallocator.zk.epoch;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.MetaNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps watch over {@code meta}. Whoever serves and finds the root empty begins an incarnation, be it a first start or after
 * ZooKeeper lost everything: nobody can tell the two apart, so its floor is above all that replicas of this configuration may
 * have reserved, see {@link Terms#ahead}. A meta that is missing beside other nodes is another matter, and an operator's.
 */
public final class Root {
    private static final Logger LOG = LoggerFactory.getLogger(Root.class);

    private final Nodes nodes;
    private final OptionalInt clusterId;
    private final Duration ahead;
    private final ClockJudge judge;

    /**
     * A meta node that was read.
     *
     * @param version of its data
     * @param leaderMillis when it was written, by ZooKeeper's leader
     */
    public record Seen(MetaNode node, int version, long leaderMillis) {

        /** Of all tenures under it, inclusive. */
        public Instant floor() {
            return node.floorAt(leaderMillis);
        }

        /**
         * What makes a write depend on this meta. Its version alone would not do: a meta that was removed and restored may have
         * the same again, and a write that was on its way all the time would pass.
         */
        public List<Store.Op> checks(Tree tree) {
            return List.of(
                    new Store.Op.Check(tree.meta(), version),
                    new Store.Op.Check(tree.incarnation(node.incarnation()), -1));
        }

        /** Takes meta away; its floor stays, and {@code reservedThrough} as well, where somebody knows more. */
        public List<Store.Op> removal(Tree tree, Instant reservedThrough) {
            return List.of(
                    new Store.Op.Write(
                            tree.root(), Floors.later(floor(), reservedThrough).toString(), -1),
                    new Store.Op.Delete(tree.incarnation(node.incarnation()), -1),
                    new Store.Op.Delete(tree.meta(), version));
        }
    }

    /**
     * A new meta, with the node that is named like its incarnation; {@code rootVersion} as it was when there was none. Whenever meta
     * comes or goes, the root's version rises: who found it without meta before can tell. The root keeps the floor, in case somebody
     * deletes meta.
     */
    public static List<Store.Op> creation(Tree tree, MetaNode node, int rootVersion) {
        return List.of(
                new Store.Op.Write(tree.root(), node.floor().toString(), rootVersion),
                new Store.Op.Create(tree.meta(), Json.write(node), false),
                new Store.Op.Create(tree.incarnation(node.incarnation()), "", false));
    }

    /** The floor of the last meta, which the root keeps; 1970 where it keeps none. */
    public static Instant lastFloor(Store.Node root) {
        try {
            return root.data().isEmpty() ? Instant.EPOCH : Instant.parse(root.data());
        } catch (DateTimeParseException e) {
            LOG.debug("the root holds something else than a floor", e);
            return Instant.EPOCH;
        }
    }

    /**
     * {@code ahead} is how far the floor of an incarnation that begins here is above ZooKeeper's time, which {@code judge} agrees
     * with.
     */
    public Root(Nodes nodes, OptionalInt clusterId, Duration ahead, ClockJudge judge) {
        this.nodes = nodes;
        this.clusterId = clusterId;
        this.ahead = ahead;
        this.judge = judge;
    }

    /**
     * The meta node as it is now; where the root is empty, one that this has just begun.
     *
     * @param reservedThrough what the caller knows to be reserved: what this begins is above it
     * @throws FencedException {@code META_GONE} when it is missing although there are other nodes; {@code CLOCK_SKEW} when it
     *     would have to be begun and ZooKeeper's clock is not this one's
     */
    public Seen look(Instant reservedThrough) {
        Optional<Seen> found = read(nodes);
        if (found.isEmpty()) {
            begin(reservedThrough);
            found = read(nodes);
        }
        return found.orElseThrow(
                () -> Fencing.of(FenceReason.META_GONE, nodes.tree().meta() + " does not exist"));
    }

    /**
     * ZooKeeper's time is asked for after the root was found empty, and is the least: the time of the very transaction, which comes
     * later, may be another leader's.
     */
    private void begin(Instant reservedThrough) {
        Optional<Store.Node> empty = empty(nodes);
        if (empty.isPresent()) {
            Instant known = Floors.later(reservedThrough, lastFloor(empty.get()));
            Instant least = Floors.later(known, judge.timeToBegin(nodes).plus(ahead));
            MetaNode meta = MetaNode.begun(clusterId.isPresent() ? clusterId.getAsInt() : null, least, ahead);
            var unused = created(nodes, meta, empty.get().version());
        }
    }

    /**
     * The meta node as it is now, if there is one; makes nothing.
     *
     * @throws FencedException {@code META_GONE} when it is there without its incarnation
     */
    public static Optional<Seen> read(Nodes nodes) {
        return nodes.meta().map(read -> {
            String incarnation = nodes.tree().incarnation(read.payload().incarnation());
            if (!nodes.exists(incarnation)) {
                throw Fencing.of(FenceReason.META_GONE, incarnation + " does not exist");
            }
            return new Seen(read.payload(), read.version(), read.node().leaderMillis());
        });
    }

    /** Begins an incarnation if the root is empty, on somebody's promise that it is new; false when it was not, as its floor tells. */
    public static boolean beginFirst(Nodes nodes, MetaNode first) {
        return empty(nodes)
                .filter(root -> lastFloor(root).equals(Instant.EPOCH))
                .filter(root -> created(nodes, first, root.version()))
                .isPresent();
    }

    /** The root, made if need be, if it has no children. */
    private static Optional<Store.Node> empty(Nodes nodes) {
        Store store = nodes.store();
        String path = nodes.tree().root();
        store.ensure(path);
        store.sync(path);
        return store.read(path).filter(root -> store.children(path).isEmpty());
    }

    private static boolean created(Nodes nodes, MetaNode meta, int rootVersion) {
        boolean created = nodes.store().attempt(creation(nodes.tree(), meta, rootVersion));
        if (created) {
            LOG.info("began {} in the empty root {}", meta, nodes.tree().root());
        }
        return created;
    }
}
