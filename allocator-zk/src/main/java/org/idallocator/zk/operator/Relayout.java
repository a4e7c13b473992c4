package org.idallocator.zk.operator;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Pools;
import org.idallocator.zk.era.RetiredSlots;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.MemberNode;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * Changes how a pool is cut into slots, or the terms by which its replicas reserve, to what a configuration says. The
 * command begins a new generation of the pool. The new floor is above all that replicas of the old generation have
 * reserved. Their writes pass no more, so they fence what they hold. Replicas with the new configuration serve when the
 * floor is past.
 */
public final class Relayout {
    private final Znodes nodes;
    private final Tree tree;
    private final AllocatorSettings settings;
    private final SlotPool pool;
    private final String path;
    private final LeaderClock leaderClock;
    private final Incarnation meta;
    private final Found<LayoutNode> found;
    private final List<String> generations;

    /** Empty for a layout that cannot be read, or does not fit its name: nobody knows what was reserved under it. */
    private final Optional<LayoutNode> before;

    /** The same, if replicas can serve by it. */
    private final Optional<LayoutNode> whole;

    /**
     * Changes nothing yet.
     *
     * @param access what the command works with
     * @param pool the pool as it is configured
     * @param meta the incarnation
     * @param found the pool's layout node
     * @param generations the names of the generations that have not ended: all children of that node
     */
    private Relayout(
            OperatorAccess access, SlotPool pool, Incarnation meta, Found<LayoutNode> found, List<String> generations) {
        this.nodes = access.nodes();
        this.tree = nodes.tree();
        this.settings = access.settings();
        this.pool = pool;
        this.path = found.path();
        this.leaderClock = access.newLeaderClock();
        this.meta = meta;
        this.found = found;
        this.before = found.replaceable().filter(LayoutNode::fitsItsName);
        this.generations = generations;
        this.whole = before.filter(layout -> generations.contains(layout.generation()));
    }

    /** Reads what is there. */
    private static Relayout read(OperatorAccess access, SlotPool pool) {
        Znodes nodes = access.nodes();
        nodes.store().sync(nodes.tree().root());
        Incarnation meta = Incarnations.present(nodes);
        Found<LayoutNode> found = nodes.layout(pool)
                .orElseThrow(() -> new RefusedException(
                        nodes.tree().layout(pool) + " does not exist: the first replica makes it"));
        return new Relayout(access, pool, meta, found, nodes.store().children(found.path()));
    }

    /**
     * What was done.
     *
     * @param from the old layout, for people
     * @param to the new layout, for people
     * @param floor no ID of this pool with an earlier time is issued from now on
     * @param fenced who held slots and loses them
     * @param retired the new names, in order of number, of the slots that were retired under any layout and stay
     *     retired
     * @param dropped a name of each retired slot that the new layout does not have; a later layout that has the slot
     *     keeps it retired
     */
    public record Report(
            String from, String to, Instant floor, List<String> fenced, List<String> retired, List<String> dropped) {}

    /**
     * Changes a pool, on a connection of the command's own.
     *
     * @param scheme the pool's scheme, as the new configuration has it
     * @param fenceHolders whether to go on although replicas hold slots; they lose them
     * @throws RefusedException when there is nothing to change, replicas hold slots, or a slot is reserved so far ahead
     *     that the new layout would serve nothing for longer than any terms explain; nothing was done
     * @throws org.idallocator.core.fence.FencedException {@code META_GONE}, or {@code CLOCK_SKEW} when ZooKeeper's
     *     clock is not this machine's; nothing was done
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written; the message says
     *     so where the old generation was ended all the same
     */
    public static Report run(AllocatorSettings settings, Scheme<?> scheme, boolean fenceHolders) {
        return OperatorAccess.run(settings, access -> run(access, scheme, fenceHolders));
    }

    /** The same, on an open store. */
    static Report run(OperatorAccess access, Scheme<?> scheme, boolean fenceHolders) {
        SlotPool pool = scheme.pool()
                .orElseThrow(() -> new RefusedException("scheme " + scheme.name() + " has no slots, so no layout"));
        return read(access, pool).change(fenceHolders);
    }

    /**
     * Changes the pool in two transactions. The first ends the old generation: from then on nobody reserves, and nobody
     * retires a slot. After that the records and the time are read, and the second transaction begins the new
     * generation above both. Whoever dies between the two leaves a pool that serves nothing until the command is run
     * again.
     */
    private Report change(boolean fenceHolders) {
        List<String> holders = holders();
        refuse(fenceHolders ? List.of() : holders);
        String mark = end();
        try {
            return begin(mark, holders);
        } catch (FencedException | StoreException | ChangedMeanwhileException e) {
            throw new UnreachableException(
                    "the generation of " + path
                            + " was ended, and the next has not begun for certain: the pool serves nothing"
                            + " until the command is run again: " + e.getMessage(),
                    e);
        }
    }

    /**
     * A generation that was ended does not come back. So none is ended where the next cannot begin, or would serve
     * nothing for long.
     */
    private void refuse(List<String> holders) {
        refuseForOlderMembers();
        if (whole.filter(
                        layout -> layout.differences(pool, settings.terms(pool)).isEmpty())
                .isPresent()) {
            throw new RefusedException(path + " is as configured already; nothing was changed");
        }
        if (!holders.isEmpty()) {
            throw new RefusedException(path + " is in use: " + String.join(", ", holders)
                    + "; stop these replicas, or take their slots away with --fence");
        }
        Instant now = leaderClock.askTimeToBegin(nodes);
        Instant reserved = new Pools(nodes).reservedThrough(pool);
        // Whoever retired a slot just now, by a clock that was ahead, wrote down what lies that much further.
        Instant byTerms = now.plus(largest().reach()).plus(settings.maxClockSkew());
        // Where the window was longer before, nothing is served until the floor that is there is past.
        Instant farthest = Floors.later(byTerms, Floors.later(meta.floor(), poolFloor(now)));
        if (whole.isPresent() && reserved.isAfter(farthest)) {
            throw new RefusedException(tree.records(pool) + " says that IDs may have been issued up to " + reserved
                    + ", as where a clock was far ahead together with ZooKeeper's, or leases unretire was given a late"
                    + " --used-until; another layout would serve nothing until then: wait, or keep the layout");
        }
    }

    /**
     * Older replicas would count too little of what is reserved, so they are not to understand the layout; they are
     * upgraded before.
     */
    private void refuseForOlderMembers() {
        Duration window = settings.terms(pool).window();
        if (window.compareTo(Terms.LONGEST_UNDECLARED_WINDOW) <= 0) {
            return;
        }
        List<String> older = nodes.store().children(tree.members()).stream()
                .flatMap(name -> nodes
                        .find(tree.member(name), MemberNode.class)
                        .filter(found -> !found.readable()
                                .filter(MemberNode::knowsLongWindows)
                                .isPresent())
                        .map(found -> name)
                        .stream())
                .sorted()
                .toList();
        if (!older.isEmpty()) {
            throw new RefusedException("a window of " + window.toMillis() + " ms is above "
                    + Terms.LONGEST_UNDECLARED_WINDOW.toMillis()
                    + " ms, which these replicas do not understand: " + String.join(", ", older)
                    + "; upgrade them first; nothing was changed");
        }
    }

    /**
     * Ends the generations that were there when the layout was read, by name. A mark takes their place, by which the
     * second transaction knows that no generation has begun since, and this one whether it was applied. The layout's
     * version alone would do for neither transaction: the layout may have been deleted and made anew by other terms, at
     * the same version. The layout is written as it was, so that whoever may not write it ends nothing.
     *
     * @return the path of the mark
     */
    private String end() {
        String mark = Tree.newChild(path, "relayout");
        List<Store.Op> ops =
                meta.checks(tree, new Store.Op.Write(path, found.node().data(), found.version()));
        generations.forEach(old -> ops.add(Store.Op.Delete.whateverVersion(tree.generation(pool, old))));
        Store.Op.Create marking = Store.Op.Create.persistent(mark);
        ops.add(marking);
        Outcome ended = nodes.store().commit(Transaction.of(ops).witnessedBy(marking));
        if (ended instanceof Outcome.Unknown lost) {
            throw new UnreachableException(
                    "the generation of " + path
                            + " may have been ended, or may be ended yet: the answer to the write was"
                            + " lost; run the command again: " + lost.trouble().getMessage(),
                    lost.trouble());
        }
        ended.requireApplied(writtenMeanwhile() + "; nothing was changed: look, and run it again");
        return mark;
    }

    private Report begin(String mark, List<String> holders) {
        Duration ahead =
                whole.map(LayoutNode::terms).orElseGet(this::largest).ahead(); // of all that may have been reserved
        Instant now = leaderClock.askTimeToBegin(nodes);
        // What the records say is read before any of them is written.
        Instant known = Floors.later(poolFloor(now), new Pools(nodes).reservedThrough(pool));
        RetiredSlots.Retained retired = new RetiredSlots(nodes, pool)
                .carry(
                        meta.checks(tree, Store.Op.Check.exists(mark)),
                        now.plus(largest().reach()));
        Map<String, JsonNode> kept = before.map(LayoutNode::unknown).orElse(Map.of());
        Instant least = Floors.least(known, now, ahead);
        Generation begun = begin(mark, LayoutNode.begun(pool, settings.terms(pool), least, ahead, kept));
        String from = before.map(Relayout::describe).orElse(found.node().data());
        return new Report(from, describe(begun.node()), begun.floor(), holders, retired.kept(), retired.dropped());
    }

    /**
     * The largest terms by which anybody can have reserved: those that nobody need declare, and those of the layout,
     * also where somebody edited it, or its generation was ended. In both these cases this configuration's count, too.
     */
    private Terms largest() {
        Terms declared =
                whole.isPresent() ? Terms.undeclared() : settings.terms(pool).orLarger(Terms.undeclared());
        return found.replaceable()
                .map(LayoutNode::terms)
                .map(declared::orLarger)
                .orElse(declared);
    }

    /**
     * The floor of the pool's layout. Where somebody edited the layout, a floor counts only if the longest window
     * explains it.
     */
    private Instant poolFloor(Instant now) {
        Instant explained = now.plus(Terms.longest().reach());
        return found.replaceable()
                .filter(layout -> layout.fitsItsName() || !floorOf(layout).isAfter(explained))
                .map(this::floorOf)
                .orElse(Instant.EPOCH);
    }

    private Instant floorOf(LayoutNode layout) {
        return layout.floorAt(found.node().leaderMillis());
    }

    private Generation begin(String mark, LayoutNode next) {
        Store.Op.Write write = new Store.Op.Write(path, Json.write(next), found.version() + 1);
        Store.Op.Create named = Store.Op.Create.persistent(tree.generation(pool, next.generation()));
        List<Store.Op> ops = meta.checks(tree, write, Store.Op.Delete.whateverVersion(mark), named);
        Outcome.Applied begun =
                nodes.store().commit(Transaction.of(ops).witnessedBy(named)).orChanged(writtenMeanwhile());
        return new Generation(next, write.leaves().orElseThrow(), begun.leaderMillis());
    }

    private String writtenMeanwhile() {
        return path + ", or meta, was written by somebody else meanwhile";
    }

    /** A lease ends with its session. A PERSISTENT node is nobody's, and would stay when all replicas are stopped. */
    private List<String> holders() {
        return nodes.store().children(tree.leases(pool)).stream()
                .sorted()
                .flatMap(name -> nodes
                        .find(tree.lease(pool, name), LeaseNode.class)
                        .filter(lease -> lease.node().isEphemeral())
                        .map(lease ->
                                lease.readable().map(LeaseNode::instance).orElse("somebody whose lease cannot be read"))
                        .map(holder -> "slot " + name + " by " + holder)
                        .stream())
                .toList();
    }

    private static String describe(LayoutNode node) {
        return node.layout()
                + node.terms().byKey().entrySet().stream()
                        .map(term ->
                                ", " + term.getKey() + " " + term.getValue().toMillis() + " ms")
                        .collect(Collectors.joining());
    }
}
