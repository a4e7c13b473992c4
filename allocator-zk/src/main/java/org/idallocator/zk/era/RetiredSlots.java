package org.idallocator.zk.era;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * Keeps slots retired by their numbers when their pool's layout changes, also where names get longer or shorter. A slot
 * may have been retired under the name of any earlier layout, and layouts since may not have had the slot: every name
 * that the scheme can give counts. Works between two generations, when nobody reserves, nobody retires a slot and
 * nobody puts one back.
 */
public final class RetiredSlots {
    private final Znodes nodes;
    private final SlotPool pool;

    /** {@code pool} is cut as in the layout that begins. */
    public RetiredSlots(Znodes nodes, SlotPool pool) {
        this.nodes = nodes;
        this.pool = pool;
    }

    /**
     * What becomes of the slots that were retired.
     *
     * @param kept the names, in the new layout, of those that stay retired, sorted
     * @param dropped a name of each of those that the new layout does not have, sorted by number
     */
    public record Retained(List<String> kept, List<String> dropped) {}

    /**
     * Retires slots under the names that they have in the new layout.
     *
     * @param conditions what each write depends on: they hold only while no generation is there
     * @param farthest until when anybody can have reserved ticks of the old generation, which has ended
     * @throws ChangedMeanwhileException when somebody else wrote, or a generation began, meanwhile
     * @throws StoreException {@code NEWER} where only later versions understand a record
     */
    public Retained carry(List<Store.Op> conditions, Instant farthest) {
        Map<Long, String> kept = new TreeMap<>();
        Map<Long, String> dropped = new TreeMap<>();
        for (Found<SlotRecord> old :
                new Pools(nodes).retiredOf(nodes.tree().pool(pool)).toList()) {
            String name = Tree.name(old.path());
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
                retire(nodes.tree().record(pool, next), old.get(), conditions, farthest);
            }
            kept.put(number, next);
        }
        return new Retained(List.copyOf(kept.values()), List.copyOf(dropped.values()));
    }

    /**
     * Retires a slot of the new layout that is retired under its old name. What either record reserves stays reserved.
     */
    private void retire(String path, SlotRecord old, List<Store.Op> conditions, Instant farthest) {
        Optional<Found<SlotRecord>> there = nodes.find(path, SlotRecord.class);
        Optional<SlotRecord> found = there.flatMap(Found::replaceable);
        Instant furthest = there.isPresent() ? farthest : Instant.EPOCH; // where it cannot be read
        Instant reserved =
                found.map(record -> record.reservedThrough(pool.unit())).orElse(furthest);
        SlotRecord retired =
                nodes.withBits(SlotRecord.retired(pool.unit(), Floors.later(old.reservedThrough(pool.unit()), reserved))
                        .keeping(found.orElse(old).unknown()));
        List<Store.Op> ops = new ArrayList<>(conditions);
        Store.Op write = Znodes.over(path, there, retired);
        ops.add(write);
        nodes.store()
                .commit(Transaction.of(ops).witnessedBy(write, retired.mark()))
                .requireApplied(
                        path + " was written by somebody else meanwhile, or a layout of " + pool.path() + " began");
    }
}
