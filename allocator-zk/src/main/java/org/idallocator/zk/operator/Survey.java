package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Pools;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;

/**
 * What becomes of a replica that looks for slots of a pool: how many are held or retired, and when as many of the others
 * serve as the replica needs. Reads all records of the pool.
 *
 * @param held how many slots have a lease
 * @param retired how many slots without a lease are retired, or have no time left
 * @param unreadable the names of slots without a lease whose records cannot be read, in order
 * @param first the slot without a lease that serves first; empty where there is none
 * @param serving the first tick in which as many slots without a lease serve as are needed, as far as their records tell; empty
 *     where fewer are left
 */
record Survey(int held, int retired, List<String> unreadable, Optional<Candidate> first, OptionalLong serving) {

    /**
     * What a replica needs.
     *
     * @param slots how many slots, 1 or more
     * @param micros the time
     */
    record Need(int slots, long micros) {}

    /**
     * A slot that a replica can claim.
     *
     * @param name the slot's name
     * @param firstTick the first tick of the tenure that would claim it, as far as the slot's record tells
     * @param record the slot's record; empty where it was never used
     */
    record Candidate(String name, long firstTick, Optional<Store.Node> record) {}

    /** Reads a pool. {@code layout} is what the pool agrees on. */
    static Survey of(Nodes nodes, SlotPool pool, Layouts.Seen layout, Need need) {
        Set<String> held = new Pools(nodes).held(pool);
        Set<String> taken = new HashSet<>(held);
        List<String> unreadable = new ArrayList<>();
        int retired = 0;
        List<Candidate> candidates = new ArrayList<>();
        String records = nodes.tree().records(pool);
        List<String> recorded = nodes.store().children(records).stream()
                .filter(name -> Pools.isSlot(pool, name) && !held.contains(name))
                .sorted()
                .toList();
        for (String name : recorded) {
            Optional<Store.Node> node = nodes.store().read(records + "/" + name);
            if (node.isEmpty()) {
                continue; // somebody deleted it just now
            }
            taken.add(name);
            Optional<SlotRecord> record =
                    nodes.found(records + "/" + name, node.get(), SlotRecord.class).readable();
            if (record.isEmpty()) {
                unreadable.add(name);
            } else if (record.get().usedUp(pool.unit())) {
                retired++;
            } else {
                candidates.add(new Candidate(name, firstTick(record.get()), node));
            }
        }
        long unused = pool.size() - taken.size();
        if (unused > 0) {
            Candidate each = unused(pool, taken, unusedFrom(nodes, pool, layout, need.micros()));
            candidates.addAll(Collections.nCopies((int) Math.min(unused, need.slots()), each));
        }
        candidates.sort(Comparator.comparingLong(Candidate::firstTick));
        return new Survey(
                held.size(), retired, unreadable, candidates.stream().findFirst(), serving(candidates, need.slots()));
    }

    private static OptionalLong serving(List<Candidate> sorted, int slots) {
        return sorted.size() < slots
                ? OptionalLong.empty()
                : OptionalLong.of(sorted.get(slots - 1).firstTick());
    }

    /** Whoever goes on from a snapshot goes on in the last tick that was used; others begin above what was reserved. */
    private static long firstTick(SlotRecord record) {
        return record.released() && record.snapshot() != null ? record.ceiling() : record.ceiling() + 1;
    }

    /** The first tick of a slot without a record: where records were deleted, above all that anybody can have reserved. */
    private static long unusedFrom(Nodes nodes, SlotPool pool, Layouts.Seen layout, long micros) {
        if (!nodes.recordsDeleted(pool)) {
            return 0;
        }
        Terms terms = layout.node().terms();
        Duration ahead = terms.maxClockSkew().plus(terms.ahead());
        TickUnit unit = pool.unit();
        return unit.tickAt(micros) + unit.ticksIn(ahead) + 1;
    }

    private static Candidate unused(SlotPool pool, Set<String> taken, long firstTick) {
        long number = 0;
        while (taken.contains(pool.nameOf(number))) {
            number++;
        }
        return new Candidate(pool.nameOf(number), firstTick, Optional.empty());
    }

    /** How many slots a replica can claim, now or later. */
    long left(SlotPool pool) {
        return pool.size() - held - retired - unreadable.size();
    }

    /** The counts, in words: {@code 1 of 2 slots are held, 1 is retired}. */
    String counts(SlotPool pool) {
        StringBuilder words = new StringBuilder(held + " of " + pool.size() + " slots are held");
        if (retired > 0) {
            words.append(", ").append(retired).append(retired == 1 ? " is retired" : " are retired");
        }
        if (!unreadable.isEmpty()) {
            words.append(", the records of ")
                    .append(unreadable.size())
                    .append(" cannot be read (")
                    .append(unreadable.get(0))
                    .append(unreadable.size() == 1 ? ")" : ", ...)");
        }
        return words.toString();
    }
}
