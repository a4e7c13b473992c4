package org.idallocator.zk.era;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Sees to it that all replicas cut a pool into the same slots and reserve by the same terms. The first replica writes
 * both down, and a replica that is configured otherwise serves nothing from that pool.
 */
public final class Generations {
    private final Znodes nodes;
    private final Function<SlotPool, Terms> terms;

    /** {@code terms} are those of the configuration, for each pool. */
    public Generations(Znodes nodes, Function<SlotPool, Terms> terms) {
        this.nodes = nodes;
        this.terms = terms;
    }

    /**
     * The operation that makes a write depend on a pool's generation. A generation's name never comes again; a version
     * may.
     */
    public static Store.Op check(Tree tree, SlotPool pool, String generation) {
        return Store.Op.Check.exists(tree.generation(pool, generation));
    }

    /**
     * The same, where what {@link #readOrBegin} asks about these pools was read ahead, in two answers for however many
     * pools.
     */
    public Generations readAhead(List<SlotPool> pools) {
        Tree tree = nodes.tree();
        Znodes read = nodes.readAhead(pools.stream()
                .flatMap(pool -> Stream.of(tree.leases(pool), tree.index(pool), tree.layout(pool), tree.records(pool)))
                .toList());
        return new Generations(
                read.readAhead(pools.stream()
                        .flatMap(pool -> read
                                .readAlready(tree.layout(pool), LayoutNode.class)
                                .flatMap(Znodes.Found::readable)
                                .map(layout -> tree.generation(pool, layout.generation()))
                                .stream())
                        .toList()),
                terms);
    }

    /**
     * The layout node, found to agree with the configuration. Where there is none, this begins a generation.
     *
     * @param leaderClock tells the time from which the floor of a new generation is counted
     * @throws FencedException {@code LAYOUT_MISMATCH} with what differs, {@code ROLLED_BACK} when the pool has lost its
     *     records, {@code CLOCK_SKEW} when a generation would have to begin and the clocks differ
     * @throws StoreException {@code NEWER} when only later versions understand the layout, or, where there is none, a
     *     record
     * @throws ChangedMeanwhileException when meta or the layout has changed meanwhile
     */
    public Generation readOrBegin(SlotPool pool, Incarnation meta, LeaderClock leaderClock) {
        // whoever removes it frees every slot: it must come back
        Parents parents = new Parents(nodes, meta);
        parents.ensure(nodes.tree().leases(pool));
        if (pool.choice() == SlotPool.Choice.INDEX) {
            parents.ensure(nodes.tree().index(pool));
        }
        Generation found = read(nodes, pool).orElseGet(() -> {
            beginByOwnTerms(pool, meta, leaderClock);
            return read(nodes, pool)
                    .orElseThrow(() -> new ChangedMeanwhileException(
                            nodes.tree().layout(pool) + " was removed while it was read"));
        });
        requireAgreed(pool, found.node());
        return found;
    }

    /**
     * When the generation of a layout began, by the clock of ZooKeeper's leader: the node that is named like it is
     * never written again.
     *
     * @throws ChangedMeanwhileException when it has ended meanwhile
     */
    public Instant begunAt(SlotPool pool, LayoutNode layout) {
        String path = nodes.tree().generation(pool, layout.generation());
        return nodes.node(path)
                .map(node -> Instant.ofEpochMilli(node.leaderMillis()))
                .orElseThrow(() -> new ChangedMeanwhileException(path + " was removed while it was read"));
    }

    /**
     * Requires that a replica of this configuration may serve from a pool whose layout node holds {@code theirs}.
     *
     * @throws FencedException {@code LAYOUT_MISMATCH} with what differs, {@code ROLLED_BACK} when the pool has lost its
     *     records
     */
    public void requireAgreed(SlotPool pool, LayoutNode theirs) {
        String path = nodes.tree().layout(pool);
        String generation = nodes.tree().generation(pool, theirs.generation());
        theirs.differences(pool, terms.apply(pool)).ifPresent(differences -> {
            throw mismatch(path + ": " + differences);
        });
        if (!theirs.fitsItsName()) {
            throw mismatch(path + " was edited by hand: it does not fit its generation " + theirs.generation());
        }
        if (!nodes.exists(generation)) {
            throw mismatch(generation + " does not exist");
        }
        if (!nodes.exists(nodes.tree().records(pool))) {
            throw FencedException.of(FenceReason.ROLLED_BACK, nodes.tree().records(pool) + " is gone");
        }
    }

    private static FencedException mismatch(String detail) {
        return FencedException.of(FenceReason.LAYOUT_MISMATCH, detail);
    }

    /** The layout node as it is now, if there is one. Makes nothing, and compares with nothing. */
    public static Optional<Generation> read(Znodes nodes, SlotPool pool) {
        return nodes.layout(pool).map(Generation::of);
    }

    /**
     * Begins a generation of this replica's layout and terms. Where the pool has records, nobody knows by which terms,
     * nor for which IDs, they were reserved: the new floor counts the largest terms that nobody need declare, and this
     * configuration's, and lies above all records; and slots stay retired by their numbers. Nobody can reserve more
     * meanwhile, because no write passes any more without its generation's node, which went with the layout.
     */
    private void beginByOwnTerms(SlotPool pool, Incarnation meta, LeaderClock leaderClock) {
        boolean used = wasUsed(pool);
        Duration ahead = ahead(pool, used);
        Instant now = leaderClock.askTimeToBegin(nodes);
        Instant least = Floors.least(new Pools(nodes).reservedThrough(pool), now, ahead);
        if (used) {
            var unused = new RetiredSlots(nodes, pool)
                    .carry(whileThereIsNone(pool, meta), now.plus(largest(pool).reach()));
        }
        begin(pool, LayoutNode.begun(pool, terms.apply(pool), least, ahead, Map.of()), used, meta);
    }

    /** Whether anybody may have used a pool that has no layout: it has records. */
    public boolean wasUsed(SlotPool pool) {
        return nodes.exists(nodes.tree().records(pool));
    }

    /**
     * How far ahead of the time the floor of a generation is that a replica begins. Of a pool that was used, nobody
     * knows by which terms: the largest count that nobody need declare, and this configuration's.
     */
    public Duration ahead(SlotPool pool, boolean used) {
        return (used ? largest(pool) : terms.apply(pool)).ahead();
    }

    private Terms largest(SlotPool pool) {
        return terms.apply(pool).orLarger(Terms.undeclared());
    }

    /** What makes these pools, which have no node yet: nobody has ever issued an ID from one. */
    public List<Store.Op> creation(List<SlotPool> pools) {
        Tree tree = nodes.tree();
        Stream<String> parents = pools.stream()
                .flatMap(pool -> Stream.concat(
                        tree.parents(tree.leases(pool)).stream(), Stream.of(tree.leases(pool), tree.records(pool))))
                .distinct();
        Stream<Store.Op> layouts = pools.stream().flatMap(pool -> {
            LayoutNode layout = LayoutNode.first(pool, terms.apply(pool));
            return Stream.of(
                    Store.Op.Create.persistent(tree.layout(pool), Json.write(layout)),
                    Store.Op.Create.persistent(tree.generation(pool, layout.generation())));
        });
        return Stream.concat(parents.map(Store.Op.Create::persistent), layouts).toList();
    }

    /** What passes only while the pool has no layout: a transaction that makes the node and deletes it again. */
    private List<Store.Op> whileThereIsNone(SlotPool pool, Incarnation meta) {
        return meta.checks(
                nodes.tree(),
                Store.Op.Create.persistent(nodes.tree().layout(pool)),
                Store.Op.Delete.whateverVersion(nodes.tree().layout(pool)));
    }

    /**
     * Writes the layout, together with the parent of the records where there was none. One transaction does both:
     * records that are gone must not be taken for slots that were never used, and a floor that counts no earlier
     * generation must not be written once there are records. Where somebody else is faster, that layout counts.
     *
     * @param used whether the pool has records
     */
    private void begin(SlotPool pool, LayoutNode first, boolean used, Incarnation meta) {
        new Parents(nodes, meta).ensure(nodes.tree().leases(pool));
        List<Store.Op> ops = meta.checks(nodes.tree());
        if (!used) {
            ops.add(Store.Op.Create.persistent(nodes.tree().records(pool)));
        }
        ops.add(Store.Op.Create.persistent(nodes.tree().layout(pool), Json.write(first)));
        Store.Op.Create named = Store.Op.Create.persistent(nodes.tree().generation(pool, first.generation()));
        ops.add(named);
        nodes.store().commit(Transaction.of(ops).witnessedBy(named)).requireAnswer();
    }
}
