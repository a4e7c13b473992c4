package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/** Takes one slot out of its pool for good, see {@link ClusterView#retire}. */
final class Retirement {
    private static final int TRIES = 10;

    private final Store store;
    private final Tree tree;
    private final SlotPool pool;
    private final long slot;
    private final String record;
    private final String lease;
    private final ClockJudge judge;
    private final Root root;
    private final Layouts layouts;
    private Optional<LeaseNode> holder = Optional.empty(); // also of a try that took it away, but whose answer was lost

    Retirement(OperatorAccess access, SlotPool pool, long slot) {
        this.store = access.store();
        this.tree = access.tree();
        this.pool = pool;
        this.slot = slot;
        this.record = tree.record(pool, slot);
        this.lease = tree.lease(pool, slot);
        this.judge = access.judge();
        // An empty root is begun by the largest terms: nobody knows those of the replicas that were lost with it.
        this.root = new Root(
                store, tree, access.settings().clusterId(), Terms.largest().ahead(), judge);
        this.layouts = access.layouts(judge);
    }

    Retired run() {
        for (int i = 0; i < TRIES; i++) {
            Root.Seen meta = root.look(Instant.EPOCH);
            Layouts.Seen layout = layouts.agreed(pool, meta);
            Optional<Instant> until = retired(meta, layout);
            if (until.isPresent()) {
                return new Retired(holder.orElse(null), until.get().equals(Instant.EPOCH) ? null : until.get());
            }
        }
        throw new StoreException(
                StoreException.Kind.CONFLICT,
                "slot " + pool.nameOf(slot) + " was written again and again meanwhile; try again");
    }

    /** Until when the slot's last tenure may issue; empty when something was written in the midst of it. */
    private Optional<Instant> retired(Root.Seen meta, Layouts.Seen layout) {
        Instant now = judge.timeToBegin(store, tree);
        store.sync(record);
        Optional<Store.Node> before = store.read(record);
        Optional<Store.Node> held = store.read(lease);
        holder = held.flatMap(node -> Json.readable(lease, node.data(), LeaseNode.class))
                .or(() -> holder);
        Instant until = Floors.later(until(before, now), untilFloors(meta, layout, now));
        String retired = Json.write(SlotRecord.retired(pool.unit(), until));
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(Layouts.check(tree, pool, layout.generation())); // or the number may mean other IDs by then
        ops.add(before.<Store.Op>map(node -> new Store.Op.Write(record, retired, node.version()))
                .orElse(new Store.Op.Create(record, retired, false)));
        held.ifPresent(node -> ops.add(new Store.Op.Delete(lease, node.version())));
        return store.attempt(ops) ? Optional.of(until) : Optional.empty();
    }

    /** What an earlier incarnation, or generation, has reserved of the slot is not in its record, but below the floors. */
    private static Instant untilFloors(Root.Seen meta, Layouts.Seen layout, Instant now) {
        Instant floor = Floors.later(meta.floor(), layout.floor());
        return floor.isAfter(now) ? floor : Instant.EPOCH;
    }

    /** 1970 where nothing was ever reserved; where nobody can tell, the latest that any tenure can have reserved by now. */
    private Instant until(Optional<Store.Node> before, Instant now) {
        Optional<SlotRecord> readable = before.flatMap(node -> Json.readable(record, node.data(), SlotRecord.class));
        boolean deleted = store.read(tree.records(pool))
                .filter(Store.Node::childrenDeleted)
                .isPresent();
        if (before.isEmpty() ? deleted : readable.isEmpty()) {
            return now.plus(Terms.farthest());
        }
        return readable.filter(found -> found.ceiling() >= 0)
                .map(found -> found.reservedThrough(pool.unit()))
                .orElse(Instant.EPOCH);
    }
}
