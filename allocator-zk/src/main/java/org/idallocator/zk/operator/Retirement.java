package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
import org.idallocator.zk.store.StoreException;

/** Takes one slot out of its pool, see {@link ClusterView#retire}. */
final class Retirement {
    private static final int TRIES = 10;

    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Slot slot;
    private final String record;
    private final String lease;
    private final ClockJudge judge;
    private final Root root;
    private final Layouts layouts;
    private final Optional<String> nonce;
    private Optional<LeaseNode> holder = Optional.empty(); // also from a try whose answer was lost

    /** {@code nonce} names the tenure that alone may lose the slot; when empty, anybody may. */
    Retirement(OperatorAccess access, Slot slot, Optional<String> nonce) {
        this.nonce = nonce;
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
    }

    Retired run() {
        for (int i = 0; i < TRIES; i++) {
            Root.Seen meta = root.look(Instant.EPOCH);
            Optional<Instant> until = retired(new Epoch(meta, layouts.agreed(slot.pool(), meta, judge)));
            if (until.isPresent()) {
                return new Retired(holder.orElse(null), until.get().equals(Instant.EPOCH) ? null : until.get());
            }
        }
        throw new StoreException(
                StoreException.Kind.CONFLICT,
                "slot " + slot.name() + " was written again and again meanwhile; try again");
    }

    /** Retires the slot, and returns until when its last tenure may issue; empty when somebody wrote meanwhile. */
    private Optional<Instant> retired(Epoch epoch) {
        Instant now = judge.timeToBegin(nodes);
        store.sync(record);
        Optional<Store.Node> before = store.read(record);
        Optional<Store.Node> held = store.read(lease);
        holder = held.flatMap(node -> Json.readable(lease, node.data(), LeaseNode.class))
                .or(() -> holder);
        refuseAnother(held);
        Instant until = Floors.later(until(before, now), untilFloor(epoch, now));
        String retired = Json.write(SlotRecord.retired(slot.unit(), until));
        List<Store.Op> ops =
                epoch.checks(tree, slot.pool()); // also of the generation: in another one the number may mean other IDs
        ops.add(before.<Store.Op>map(node -> new Store.Op.Write(record, retired, node.version()))
                .orElse(new Store.Op.Create(record, retired, false)));
        held.ifPresent(node -> ops.add(new Store.Op.Delete(lease, node.version())));
        return store.attempt(ops) ? Optional.of(until) : Optional.empty();
    }

    /** A lease that cannot be read is another's. Whoever claims the slot from here on writes the record. */
    private void refuseAnother(Optional<Store.Node> held) {
        boolean another = held.isPresent()
                && nonce.isPresent()
                && !holder.map(LeaseNode::nonce).equals(nonce);
        if (another) {
            throw new RefusedException(
                    "the slot is held by another tenure than " + nonce.get() + "; it was left alone");
        }
    }

    /**
     * The floor while it is ahead: earlier incarnations and generations reserved below it what the slot's record does not tell.
     */
    private static Instant untilFloor(Epoch epoch, Instant now) {
        return epoch.floor().isAfter(now) ? epoch.floor() : Instant.EPOCH;
    }

    /** The end of what the record reserves: 1970 where that is nothing, and the latest possible where nobody can tell. */
    private Instant until(Optional<Store.Node> before, Instant now) {
        Optional<SlotRecord> readable = before.flatMap(node -> Json.readable(record, node.data(), SlotRecord.class));
        boolean deleted = nodes.recordsDeleted(slot.pool());
        if (before.isEmpty() ? deleted : readable.isEmpty()) {
            return now.plus(Terms.farthest());
        }
        return readable.filter(found -> found.ceiling() >= 0)
                .map(found -> found.reservedThrough(slot.unit()))
                .orElse(Instant.EPOCH);
    }
}
