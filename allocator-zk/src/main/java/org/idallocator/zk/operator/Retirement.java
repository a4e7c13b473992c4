package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;

/** Takes one slot out of its pool, see {@link ClusterView#retire}. */
final class Retirement {
    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Slot slot;
    private final String record;
    private final String lease;
    private final ClockJudge judge;
    private final Root root;
    private final Layouts layouts;
    private final Predicate<Holder> mayLose;
    private final Tries tries;
    private Optional<LeaseNode> loser = Optional.empty(); // also from a try whose answer was lost

    /** {@code mayLose} says of each holder but {@link Holder#NOBODY} whether it may lose the slot. */
    Retirement(OperatorAccess access, Slot slot, Predicate<Holder> mayLose) {
        this.mayLose = mayLose;
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.slot = slot;
        this.record = tree.record(slot);
        this.lease = tree.lease(slot);
        this.judge = access.judge();
        // An empty root is begun by the largest terms: nobody knows those of the replicas that were lost with it.
        this.root =
                new Root(nodes, access.settings().clusterId(), Terms.largest().ahead(), judge);
        this.layouts = access.layouts();
        this.tries = new Tries(slot);
    }

    Retired run() {
        return tries.until(() -> {
            Root.Seen meta = root.look(Instant.EPOCH);
            return retired(new Epoch(meta, layouts.agreed(slot.pool(), meta, judge)));
        });
    }

    /** Empty when it is not certain that this try has retired the slot. */
    private Optional<Retired> retired(Epoch epoch) {
        Instant now = judge.timeToBegin(nodes);
        store.sync(record);
        Optional<Store.Node> before = store.read(record);
        Optional<Store.Node> held = store.read(lease); // after the record, which whoever claims from here on writes
        Holder holder = held.map(node -> Holder.of(nodes.found(lease, node, LeaseNode.class)))
                .orElse(Holder.NOBODY);
        if (held.isPresent() && !mayLose.test(holder)) {
            throw new RefusedException(slot + " is held by " + holder.inWords() + " now; it was left alone");
        }
        loser = holder.lease().or(() -> loser);
        Optional<SlotRecord> found = before.flatMap(
                node -> nodes.found(record, node, SlotRecord.class).replaceable());
        Instant until = until(found, epoch, now);
        String retired = Json.write(SlotRecord.retired(slot.unit(), until)
                .keeping(found.map(SlotRecord::unknown).orElse(Map.of())));
        List<Store.Op> ops =
                epoch.checks(tree, slot.pool()); // also of the generation: in another one the number may mean other IDs
        ops.add(before.<Store.Op>map(node -> new Store.Op.Write(record, retired, node.version()))
                .orElse(new Store.Op.Create(record, retired, false)));
        held.ifPresent(node -> ops.add(new Store.Op.Delete(lease, node.version())));
        return tries.written(store, ops) ? Optional.of(new Retired(loser.orElse(null), until)) : Optional.empty();
    }

    /**
     * Until when tenures may issue: never less than the furthest that anybody can have reserved by now, because a record may say
     * too little that was edited or came back with a backup. More where the record says more, as after a clock that was far
     * ahead, or where the floor is ahead, below which earlier incarnations and generations reserved.
     */
    private Instant until(Optional<SlotRecord> before, Epoch epoch, Instant now) {
        Instant reserved =
                before.map(found -> found.reservedThrough(slot.unit())).orElse(Instant.EPOCH);
        return Floors.later(Floors.later(reserved, epoch.floor()), now.plus(Terms.farthest()));
    }
}
