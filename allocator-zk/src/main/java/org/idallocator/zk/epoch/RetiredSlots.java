package org.idallocator.zk.epoch;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Keeps slots retired by their numbers when their pool's layout changes, also where names get longer or shorter. A slot may have
 * been retired under the name of any earlier layout, and layouts since may not have had the slot: every name that the scheme can
 * give counts. Works between two generations, when nobody reserves, nobody retires a slot and nobody puts one back.
 */
public final class RetiredSlots {
    private final Nodes nodes;
    private final SlotPool pool;
    private final String records;

    /** {@code pool} is cut as in the layout that begins. */
    public RetiredSlots(Nodes nodes, SlotPool pool) {
        this.nodes = nodes;
        this.pool = pool;
        this.records = nodes.tree().records(pool);
    }

    /**
     * What becomes of the slots that were retired.
     *
     * @param kept the names, in the new layout, of those that stay retired, sorted
     * @param dropped a name of each of those that the new layout does not have, sorted by number
     */
    public record Carried(List<String> kept, List<String> dropped) {}

    /**
     * Retires slots under the names that they have in the new layout.
     *
     * @param conditions what each write depends on: they hold only while no generation is there
     * @param now ZooKeeper's time, or a later one, after the old generation has ended
     * @throws StoreException {@code CONFLICT} when somebody else wrote, or a generation began, meanwhile; {@code NEWER} where
     *     only later versions understand a record
     */
    public Carried carry(List<Store.Op> conditions, Instant now) {
        Map<Long, String> kept = new TreeMap<>();
        Map<Long, String> dropped = new TreeMap<>();
        for (String path : new Pools(nodes).retiredOf(records)) {
            String name = path.substring(path.lastIndexOf('/') + 1);
            OptionalLong slot = pool.names().slotAtAnySize(name);
            if (slot.isEmpty()) {
                continue;
            }
            long number = slot.getAsLong();
            if (number >= pool.size()) {
                dropped.putIfAbsent(number, name);
                continue;
            }
            String next = pool.nameOf(number);
            if (!next.equals(name)) {
                retire(records + "/" + next, path, conditions, now);
            }
            kept.put(number, next);
        }
        return new Carried(List.copyOf(kept.values()), List.copyOf(dropped.values()));
    }

    /** Retires a slot of the new layout that is retired under its old name. What either record reserves stays reserved. */
    private void retire(String path, String oldPath, List<Store.Op> conditions, Instant now) {
        Optional<Store.Node> there = nodes.store().read(path);
        Optional<SlotRecord> found = record(path, there);
        Optional<Store.Node> old = nodes.store().read(oldPath);
        Optional<SlotRecord> foundOld = record(oldPath, old);
        Instant until = Floors.later(reserved(old, foundOld, now), reserved(there, found, now));
        String retired = Json.write(SlotRecord.retired(pool.unit(), until)
                .keeping(found.or(() -> foundOld).map(SlotRecord::unknown).orElse(Map.of())));
        if (there.filter(node -> node.data().equals(retired)).isPresent()) {
            return;
        }
        List<Store.Op> ops = new ArrayList<>(conditions);
        ops.add(there.<Store.Op>map(node -> new Store.Op.Write(path, retired, node.version()))
                .orElse(new Store.Op.Create(path, retired, false)));
        boolean written = nodes.store().attempt(ops)
                || nodes.store()
                        .read(path)
                        .filter(node -> node.data().equals(retired))
                        .isPresent();
        if (!written) {
            throw new StoreException(
                    StoreException.Kind.CONFLICT,
                    path + " was written by somebody else meanwhile, or a layout of " + pool.path() + " began");
        }
    }

    private Optional<SlotRecord> record(String path, Optional<Store.Node> node) {
        return node.flatMap(there -> nodes.found(path, there, SlotRecord.class).replaceable());
    }

    /** Until when the tenures of a record may issue: the furthest where the record cannot be read. */
    private Instant reserved(Optional<Store.Node> node, Optional<SlotRecord> record, Instant now) {
        return record.map(found -> found.reservedThrough(pool.unit()))
                .orElse(node.isPresent() ? now.plus(Terms.farthest()) : Instant.EPOCH);
    }
}
