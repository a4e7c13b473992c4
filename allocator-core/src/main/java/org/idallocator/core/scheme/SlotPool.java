package org.idallocator.core.scheme;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.BadValueException;

/**
 * The slots of a scheme. Each generator needs a slot for itself.
 *
 * @param path where the pool lives below the root in ZooKeeper, without a leading slash: {@code eightbyte/03}
 * @param names how many slots there are, and how they are written
 * @param unit the scheme's ticks
 * @param choice how a claimer picks a slot
 * @param growth where more slots come from
 * @param longestTenure how long a tenure may last, where that is limited
 * @param layout what all replicas must agree on, as it is kept in ZooKeeper; slots, tick and bits are added to it
 */
public record SlotPool(
        String path,
        SlotNames names,
        TickUnit unit,
        Choice choice,
        Growth growth,
        Optional<Duration> longestTenure,
        Map<String, Object> layout) {

    /** The field of a {@link #layout} that says how many slots there are. */
    public static final String SLOTS = "slots";

    public SlotPool {
        Map<String, Object> all = new TreeMap<>(layout);
        all.put(SLOTS, names.size());
        all.put("tickMicros", unit.tickMicros());
        all.put("bits", unit.bits());
        layout = Collections.unmodifiableMap(all);
    }

    /** How a claimer picks among the slots without a lease. */
    public enum Choice {
        /** At random, cold records first: replicas that start together seldom meet. */
        RANDOM,
        /** The next of a shared, self-incremental index, modulo the pool's size, skipping held slots. */
        INDEX,
        /** A released slot again, else a new one at random: for pools far larger than what is ever used of them. */
        REUSE
    }

    /** Where more slots come from when all are held, apart from those that were retired. */
    public enum Growth {
        /** The pool is made larger, by another layout. */
        LARGER_POOL,
        /** Another cluster has a pool of its own. */
        OTHER_CLUSTER,
        /** From nowhere: the pool is as large as its IDs allow. */
        NONE
    }

    /** How many slots there are: 0 to size - 1. */
    public long size() {
        return names.size();
    }

    /** The same pool with another number of slots, 2 or more. */
    public SlotPool ofSize(long slots) {
        return new SlotPool(
                path, new SlotNames(slots, names.radix(), names.base()), unit, choice, growth, longestTenure, layout);
    }

    /** The zero-padded name of a slot, so that names sort as slots do. */
    public String nameOf(long slot) {
        return names.nameOf(slot);
    }

    /** The slot of a name; throws {@link BadValueException} naming what is allowed. */
    public long slotOf(String name) {
        return names.slotOf(name);
    }
}
