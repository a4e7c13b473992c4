package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.idallocator.core.scheme.SlotNames;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps slots retired by their numbers when their pool's layout changes, also where names get longer or shorter. Works between
 * two generations, when nobody reserves and nobody retires.
 */
final class RetiredSlots {
    private static final Logger LOG = LoggerFactory.getLogger(RetiredSlots.class);

    private final Nodes nodes;
    private final SlotPool pool;
    private final String records;
    private final Optional<SlotNames> old;

    /** {@code old} is the layout that has ended; empty where it cannot be read. */
    RetiredSlots(Nodes nodes, SlotPool pool, Optional<LayoutNode> old) {
        this.nodes = nodes;
        this.pool = pool;
        this.records = nodes.tree().records(pool);
        this.old = old.map(
                node -> pool.names().withSize(node.layout().path("slots").asLong()));
    }

    /**
     * What becomes of the slots that were retired.
     *
     * @param kept the names, in the new layout, of those that stay retired
     * @param dropped the names of those that the new layout does not have
     */
    record Carried(List<String> kept, List<String> dropped) {}

    /**
     * Retires slots under the names that they have in the new layout.
     *
     * @param conditions what each write depends on
     * @param now ZooKeeper's time, or a later one, after the old generation has ended
     * @throws StoreException {@code CONFLICT} when somebody else wrote meanwhile
     */
    Carried carry(List<Store.Op> conditions, Instant now) {
        Set<String> kept = new TreeSet<>();
        List<String> dropped = new ArrayList<>();
        for (String path : new Pools(nodes).retiredOf(records)) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            if (Pools.isSlot(pool, name)) {
                kept.add(name);
                continue;
            }
            Optional<Long> number = numberOf(name);
            if (number.isPresent() && number.get() < pool.size()) {
                String next = pool.nameOf(number.get());
                retire(records + "/" + next, path, conditions, now);
                kept.add(next);
            } else if (number.isPresent()) {
                dropped.add(name);
            }
        }
        return new Carried(List.copyOf(kept), dropped);
    }

    /**
     * The number of the old layout's slot of this name; empty for what is none. Where the old layout cannot be read, every
     * number may be one.
     */
    private Optional<Long> numberOf(String name) {
        try {
            long number = old.isPresent()
                    ? old.get().slotOf(name)
                    : Long.parseLong(name, pool.names().radix()) - pool.names().base();
            return Optional.of(number).filter(slot -> slot >= 0);
        } catch (IllegalArgumentException e) {
            LOG.debug("{} was no slot of {}", name, pool.path(), e);
            return Optional.empty();
        }
    }

    /** Retires a slot of the new layout that is retired under its old name. What either record reserves stays reserved. */
    private void retire(String path, String oldPath, List<Store.Op> conditions, Instant now) {
        Optional<Store.Node> there = nodes.store().read(path);
        Instant until = Floors.later(reserved(oldPath, nodes.store().read(oldPath), now), reserved(path, there, now));
        String retired = Json.write(SlotRecord.retired(pool.unit(), until));
        List<Store.Op> ops = new ArrayList<>(conditions);
        ops.add(there.<Store.Op>map(node -> new Store.Op.Write(path, retired, node.version()))
                .orElse(new Store.Op.Create(path, retired, false)));
        boolean written = nodes.store().attempt(ops)
                || nodes.store()
                        .read(path)
                        .filter(node -> node.data().equals(retired))
                        .isPresent();
        if (!written) {
            throw new StoreException(StoreException.Kind.CONFLICT, path + " was written by somebody else meanwhile");
        }
    }

    /** Until when the tenures of a record may issue: the furthest where the record cannot be read. */
    private Instant reserved(String path, Optional<Store.Node> record, Instant now) {
        return record.map(node -> Json.readable(path, node.data(), SlotRecord.class)
                        .map(found -> found.reservedThrough(pool.unit()))
                        .orElse(now.plus(Terms.farthest())))
                .orElse(Instant.EPOCH);
    }
}
