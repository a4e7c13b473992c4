package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Parents;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.MetaNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * What an operator runs after ZooKeeper was restored from a backup: records may then say less than what was issued. It begins a new
 * incarnation, whose floor is above anything that any replica may have reserved until now, whatever it was configured with; so
 * every running replica fences what it holds and claims anew. Parents of leases and records that are missing are made anew.
 */
public final class FenceRestore {
    private final OperatorAccess access;
    private final Options options;
    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Pools pools;

    private FenceRestore(OperatorAccess access, Options options) {
        this.access = access;
        this.options = options;
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.pools = new Pools(nodes);
    }

    /**
     * What an operator says besides. Window and skew shorten the wait; both are the operator's promise of all replicas that this
     * root ever had, those that were cut off among them.
     *
     * @param window none had a longer one
     * @param maxClockSkew none had a larger one
     * @param floor the floor at least, as a replica names it that refuses a lower one
     */
    public record Options(Duration window, Duration maxClockSkew, Instant floor) {

        public Options {
            AllocatorSettings.requireAllowed(window, maxClockSkew);
        }

        /** Nothing is promised: the floor is above what any allowed configuration can have reserved. */
        public static Options none() {
            return new Options(AllocatorSettings.LONGEST_WINDOW, AllocatorSettings.LARGEST_CLOCK_SKEW, Instant.EPOCH);
        }

        private Terms terms() {
            return new Terms(window, ZooKeeperSettings.LONGEST_SESSION_TIMEOUT, maxClockSkew);
        }
    }

    /**
     * What was done.
     *
     * @param oldIncarnation {@code none} when there was no meta node, {@code unreadable} when it held something else
     * @param incarnation the new one
     * @param floor no ID with an earlier time is issued from now on
     * @param retired the records of the slots that are retired, as ZooKeeper has them now
     */
    public record Report(String oldIncarnation, String incarnation, Instant floor, List<String> retired) {}

    /**
     * Does it.
     *
     * @throws RefusedException when a layout in this root shows that a promise is wrong; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when ZooKeeper's clock is not this machine's
     * @throws UnreachableException when ZooKeeper does not take it
     */
    public static Report run(AllocatorSettings settings, Options options) {
        return OperatorAccess.connected(settings, access -> run(access, options));
    }

    /** The same, on a store that is open. */
    public static Report run(OperatorAccess access, Options options) {
        return new FenceRestore(access, options).run();
    }

    /**
     * Ends the incarnation that is there, asks for ZooKeeper's time, and begins another: nobody reserves any more when the time is
     * told that the floor is counted from.
     */
    private Report run() {
        Duration maxClockSkew = shorter(access.settings().maxClockSkew(), options.maxClockSkew());
        ClockJudge judge = new ClockJudge(access.clock(), maxClockSkew);
        store.ensure(tree.root());
        store.sync(tree.root());
        refuseWhatIsKnownToBeWrong();
        var unusedTime = judge.timeToBegin(nodes); // nothing is ended that could not be begun
        Optional<Store.Node> node = store.read(tree.meta());
        Optional<MetaNode> old = node.flatMap(found -> Json.readable(tree.meta(), found.data(), MetaNode.class));
        node.ifPresent(found -> end(found, old));
        Store.Node root = store.read(tree.root()).orElseThrow(() -> conflict());
        MetaNode raised = MetaNode.begun(
                old.map(MetaNode::clusterId).orElse(null),
                leastFloor(Root.lastFloor(root), judge.timeToBegin(nodes)),
                options.terms().ahead());
        var unused =
                store.attempt(Root.creation(tree, raised, root.version())); // what is there tells whether it was done
        Root.Seen meta = Root.read(nodes)
                .filter(seen -> seen.node().incarnation().equals(raised.incarnation()))
                .orElseThrow(() -> conflict());
        makeParents(meta);
        String before = old.map(MetaNode::incarnation).orElse(node.isPresent() ? "unreadable" : "none");
        return new Report(before, meta.node().incarnation(), meta.floor(), pools.retired());
    }

    /** The clocks may differ by no more than is counted in. */
    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private StoreException conflict() {
        return new StoreException(
                StoreException.Kind.CONFLICT,
                tree.meta()
                        + " was written by somebody else while it was restored; look at what replicas say, and run it again");
    }

    /** Takes meta away, whatever it holds and is missing; its floor, where that can be read, stays in the root. */
    private void end(Store.Node node, Optional<MetaNode> old) {
        Store.Node root = store.read(tree.root()).orElseThrow(() -> conflict());
        Instant floor = Floors.later(
                Root.lastFloor(root),
                old.map(meta -> meta.floorAt(node.leaderMillis())).orElse(Instant.EPOCH));
        List<Store.Op> ops = new ArrayList<>();
        ops.add(new Store.Op.Write(tree.root(), floor.toString(), root.version()));
        store.children(tree.meta()).forEach(child -> ops.add(new Store.Op.Delete(tree.incarnation(child), -1)));
        ops.add(new Store.Op.Delete(tree.meta(), node.version()));
        if (!store.attempt(ops) && store.read(tree.meta()).isPresent()) {
            throw conflict();
        }
    }

    /** A floor is never lowered. */
    private Instant leastFloor(Instant last, Instant now) {
        return Floors.later(
                options.floor(), Floors.later(last, now.plus(options.terms().ahead())));
    }

    /** A layout shows by which terms replicas of this root have reserved. */
    private void refuseWhatIsKnownToBeWrong() {
        for (String pool : pools.paths()) {
            String path = pool + "/layout";
            nodes.readable(path, LayoutNode.class)
                    .map(LayoutNode::terms)
                    .filter(terms -> terms.window().compareTo(options.window()) > 0
                            || terms.maxClockSkew().compareTo(options.maxClockSkew()) > 0)
                    .ifPresent(terms -> {
                        throw new RefusedException(path + " says that replicas have a window of "
                                + terms.window().toMillis() + " ms and a maxClockSkew of "
                                + terms.maxClockSkew().toMillis() + " ms; promised are "
                                + options.window().toMillis() + " ms and "
                                + options.maxClockSkew().toMillis() + " ms at most");
                    });
        }
    }

    private void makeParents(Root.Seen meta) {
        Parents parents = new Parents(nodes);
        for (String pool : pools.paths()) {
            parents.ensure(pool + "/leases", meta);
            parents.ensure(pool + "/records", meta);
        }
    }
}
