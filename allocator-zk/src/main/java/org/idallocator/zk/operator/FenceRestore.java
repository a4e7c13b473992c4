package org.idallocator.zk.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.Comparators;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Parents;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;
import org.jspecify.annotations.Nullable;

/**
 * What an operator runs after ZooKeeper was restored from a backup, when records may say less than what was issued. The
 * command begins a new incarnation. Its floor is above anything that any replica, however configured, may have reserved
 * until now. So every running replica fences what it holds and claims anew. Missing parents of leases and records are
 * made anew.
 */
public final class FenceRestore {
    private final Options options;
    private final Znodes nodes;
    private final Tree tree;
    private final Pools pools;
    private final List<SlotPool> configured;
    private final Terms own;
    private final LeaderClock leaderClock;

    private FenceRestore(OperatorAccess access, Options options) {
        this.options = options;
        this.nodes = access.nodes();
        this.tree = nodes.tree();
        this.pools = new Pools(nodes);
        this.configured = access.settings().schemes().stream()
                .flatMap(scheme -> scheme.pool().stream())
                .toList();
        this.own = access.settings().terms();
        // The clocks may differ by no more than the floor counts.
        Duration allowed = options.maxClockSkew().orElse(own.maxClockSkew());
        this.leaderClock = new LeaderClock(access.clock(), Comparators.min(own.maxClockSkew(), allowed));
    }

    /**
     * What an operator may say besides the configuration. Window and skew are the operator's promise about all replicas
     * that this root ever had, those that were cut off among them. They shorten the wait; or lengthen it, where
     * replicas had a longer window than anything shows.
     *
     * @param window no replica had a longer window; empty for no promise: then the longest counts that nobody need
     *     declare ({@link Terms#LONGEST_UNDECLARED_WINDOW}), or that this configuration or a layout in ZooKeeper
     *     declares
     * @param maxClockSkew no replica had a larger skew; empty for no promise: then the largest counts that is allowed
     * @param floor the earliest that the floor may be; a replica that refuses an earlier floor names this time
     */
    public record Options(Optional<Duration> window, Optional<Duration> maxClockSkew, Instant floor) {

        public Options {
            window.ifPresent(Terms.WINDOW::require);
            maxClockSkew.ifPresent(Terms.MAX_CLOCK_SKEW::require);
        }

        /** No promise. */
        public static Options none() {
            return new Options(Optional.empty(), Optional.empty(), Instant.EPOCH);
        }

        /** A promise of both. */
        public static Options promised(Duration window, Duration maxClockSkew, Instant floor) {
            return new Options(Optional.of(window), Optional.of(maxClockSkew), floor);
        }
    }

    /**
     * What was done.
     *
     * @param from what was there, for people: the old incarnation's name; {@code none} when there was no meta node,
     *     {@code unreadable} when the node held something else
     * @param incarnation the new incarnation's name
     * @param floor no ID with an earlier time is issued from now on
     * @param counted the terms of earlier replicas that the floor counts: promised ones, or the largest that are known
     *     or need no declaring
     * @param retired the paths of the records of all slots that are retired in ZooKeeper now, one of each slot
     */
    public record Report(String from, String incarnation, Instant floor, Terms counted, List<String> retired) {}

    /**
     * Begins the new incarnation, on a connection of the command's own.
     *
     * @throws RefusedException when a layout in this root shows that a promise is wrong; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW} when ZooKeeper's clock is not this
     *     machine's
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written
     */
    public static Report run(AllocatorSettings settings, Options options) {
        return OperatorAccess.run(settings, access -> run(access, options));
    }

    /** The same, on an open store. */
    static Report run(OperatorAccess access, Options options) {
        return new FenceRestore(access, options).run();
    }

    /**
     * Ends the incarnation that is there, asks for ZooKeeper's time, and begins another incarnation. So nobody reserves
     * any more when the time is read from which the floor is counted.
     */
    private Report run() {
        nodes.store().ensure(tree.root());
        nodes.store().sync(tree.root());
        Terms known = known();
        refuseWhatIsKnownToBeWrong();
        pools.requireUnderstood();
        var unused = leaderClock.askTimeToBegin(nodes); // nothing is ended that could not be begun
        Optional<Found<MetaNode>> found = nodes.meta();
        found.ifPresent(this::end);
        Optional<MetaNode> old = found.flatMap(Found::replaceable);
        Terms counted = new Terms(
                options.window().orElse(known.window()),
                known.sessionTimeout(),
                options.maxClockSkew().orElse(known.maxClockSkew()));
        Incarnation meta = begin(old, counted);
        Parents parents = new Parents(nodes, meta);
        pools.all().forEach(pool -> {
            parents.ensure(pool.leases());
            parents.ensure(pool.records());
        });
        String from = old.map(MetaNode::incarnation).orElse(found.isPresent() ? "unreadable" : "none");
        return new Report(from, meta.node().incarnation(), meta.floor(), counted, pools.retired(configured));
    }

    /**
     * The floor is the latest of the operator's, the last one, and the one counted from now: a floor is never lowered.
     */
    private Incarnation begin(Optional<MetaNode> old, Terms counted) {
        Store.Node root = root();
        Duration ahead = counted.ahead();
        Instant known = Floors.later(options.floor(), Incarnations.lastFloor(root));
        Instant least = Floors.least(known, leaderClock.askTimeToBegin(nodes), ahead);
        @Nullable Integer clusterId = old.map(MetaNode::clusterId).orElse(null);
        Map<String, JsonNode> kept = old.map(MetaNode::unknown).orElse(Map.of());
        MetaNode next = MetaNode.begun(clusterId, least, ahead, kept);
        Outcome.Applied begun = nodes.store()
                .commit(Incarnations.creation(tree, next, root.version()))
                .orChanged(writtenMeanwhile());
        return new Incarnation(next, 0, begun.leaderMillis());
    }

    private Store.Node root() {
        return nodes.store().read(tree.root()).orElseThrow(() -> new ChangedMeanwhileException(writtenMeanwhile()));
    }

    private String writtenMeanwhile() {
        return tree.meta()
                + " was written by somebody else while it was restored; look at what replicas say, and run it again";
    }

    /**
     * Removes meta, whatever it holds and whatever is missing. The root keeps meta's floor, where that can be read.
     * Where it is not there any more, it does not matter who has removed it: what was sent is void once another meta is
     * there.
     */
    private void end(Found<MetaNode> meta) {
        Store.Node root = root();
        Instant floor = meta.replaceable()
                .map(old -> old.floorAt(meta.node().leaderMillis()))
                .orElse(Instant.EPOCH);
        String kept = Floors.later(Incarnations.lastFloor(root), floor).toString();
        List<Store.Op> ops = new ArrayList<>(List.of(new Store.Op.Write(tree.root(), kept, root.version())));
        nodes.store()
                .children(tree.meta())
                .forEach(child -> ops.add(Store.Op.Delete.whateverVersion(tree.incarnation(child))));
        ops.add(new Store.Op.Delete(tree.meta(), meta.version()));
        Outcome removed = nodes.store().send(Transaction.of(ops));
        if (!(removed instanceof Outcome.Applied) && nodes.exists(tree.meta())) {
            removed.requireApplied(writtenMeanwhile());
        }
    }

    /**
     * The largest terms of earlier replicas: those that nobody need declare, this configuration's, and those that
     * layouts show.
     */
    private Terms known() {
        return pools.all().stream()
                .flatMap(pool -> layoutTerms(pool).stream())
                .reduce(own.orLarger(Terms.undeclared()), Terms::orLarger);
    }

    private Optional<Terms> layoutTerms(PoolTree pool) {
        return nodes.find(pool.layout(), LayoutNode.class)
                .flatMap(Found::replaceable)
                .map(LayoutNode::terms);
    }

    /**
     * This configuration and layouts show by which terms replicas of this root have reserved; a promise of less is
     * refused.
     */
    private void refuseWhatIsKnownToBeWrong() {
        for (PoolTree pool : pools.all()) {
            layoutTerms(pool).filter(this::arePromisedToBeLess).ifPresent(terms -> {
                throw new RefusedException(pool.layout() + " says that replicas have a window of "
                        + terms.window().toMillis() + " ms and a maxClockSkew of "
                        + terms.maxClockSkew().toMillis() + " ms; promised is less");
            });
        }
        if (arePromisedToBeLess(own)) {
            throw new RefusedException(
                    "this configuration has a window of " + own.window().toMillis() + " ms and a maxClockSkew of "
                            + own.maxClockSkew().toMillis() + " ms; promised is less");
        }
    }

    private boolean arePromisedToBeLess(Terms terms) {
        return options.window()
                        .filter(most -> terms.window().compareTo(most) > 0)
                        .isPresent()
                || options.maxClockSkew()
                        .filter(most -> terms.maxClockSkew().compareTo(most) > 0)
                        .isPresent();
    }
}
