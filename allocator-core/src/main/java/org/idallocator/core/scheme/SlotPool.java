package org.idallocator.core.scheme;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.idallocator.core.clock.TickUnit;

/**
 * What a scheme's generators take one each of.
 *
 * @param path where the pool lives below the root in ZooKeeper, without a leading slash: {@code eightbyte/03}
 * @param size how many slots there are: 0 to size - 1
 * @param unit the scheme's ticks
 * @param choice how a claimer picks a slot
 * @param longestTenure how long a tenure may last, where that is limited
 * @param layout what all replicas must agree on, as it is kept in ZooKeeper; slots, tick and bits are added to it
 * @param names how a slot is written
 */
public record SlotPool(
        String path,
        long size,
        TickUnit unit,
        Choice choice,
        Optional<Duration> longestTenure,
        Map<String, Object> layout,
        SlotNames names) {

    public SlotPool {
        Map<String, Object> all = new TreeMap<>(layout);
        all.put("slots", size);
        all.put("tickMicros", unit.tickMicros());
        all.put("bits", unit.bits());
        layout = Collections.unmodifiableMap(all);
    }

    /** A pool whose slots are written in decimal, whose tenures may last as long as they like. */
    static SlotPool of(String path, long size, TickUnit unit, Choice choice, Map<String, Object> layout) {
        return new SlotPool(path, size, unit, choice, Optional.empty(), layout, SlotNames.decimal(size));
    }

    /** How a claimer picks among the slots without a lease. */
    public enum Choice {
        /** At random, cold records first: replicas that start together seldom meet. */
        RANDOM,
        /** The next of a shared, self-incremental index, modulo the pool's size, skipping held slots. */
        INDEX,
        /** A released slot again, else a new one at random: for pools far larger than what was ever used. */
        REUSE
    }

    /** The zero-padded name of a slot, so that names sort as slots do. */
    public String nameOf(long slot) {
        return names.nameOf(slot);
    }

    /** The slot of a name; throws {@link IllegalArgumentException} naming what is allowed. */
    public long slotOf(String name) {
        long slot = names.slotOf(name);
        if (slot < 0 || slot >= size) {
            throw new IllegalArgumentException("slot must be " + nameOf(0) + ".." + nameOf(size - 1) + ": " + name);
        }
        return slot;
    }
}
