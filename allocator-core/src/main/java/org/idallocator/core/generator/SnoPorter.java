package org.idallocator.core.generator;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;

/**
 * Draws snos for times that the caller gives: for records that exist and shall have IDs of their own time. Thread-safe,
 * never waits, and not fenced.
 *
 * <p>No two IDs of one porter are equal: it counts in each time unit of 4 ms by itself, and refuses the ID that a unit has
 * no sequence left for, where the original starts over and repeats. All IDs have tick 0. That they differ from others' is
 * for the program to see to: its partition must belong to no generator, here or elsewhere, and there must be one porter
 * for a partition and range, ever, because a new one knows nothing of what the last one gave.
 *
 * <p>It remembers every unit that it gave an ID in, in about 100 bytes each: a million records of different times take 100
 * MB.
 */
public final class SnoPorter {
    private final SnoPartition partition;
    private final SnoRange range;
    private final ConcurrentMap<Long, Integer> used = new ConcurrentHashMap<>();

    /** Give {@code range} as {@link SnoRange#ALL} unless several porters share the partition. */
    public SnoPorter(SnoPartition partition, SnoRange range) {
        this.partition = partition;
        this.range = range;
    }

    /**
     * The next ID of the unit that contains {@code time}.
     *
     * @param time {@link Sno#MIN_TIME} to {@link Sno#MAX_TIME}, both inclusive
     * @param metabyte 0..255; it does not keep IDs apart
     * @throws IllegalArgumentException if either is outside of that
     * @throws IllegalStateException when the unit's sequences are used up; nothing changes then
     */
    public Sno next(Instant time, int metabyte) {
        long unit = Sno.at(time, metabyte, partition.number(), range.min()).timestampUnits();
        int count = used.merge(unit, 1, (before, one) -> nextCount(before, unit));
        return Sno.of(unit, 0, metabyte, partition.number(), range.min() + count - 1);
    }

    private int nextCount(int before, long unit) {
        if (before == range.size()) {
            throw new IllegalStateException("time unit " + unit + " (4 ms from " + SnoGenerator.UNIT.instantAt(unit)
                    + ") holds " + range.size() + " IDs, sequences " + range.min() + ".." + range.max()
                    + ", and all are used");
        }
        return before + 1;
    }

    public SnoPartition partition() {
        return partition;
    }

    /** The bounds of the sequence. */
    public SnoRange range() {
        return range;
    }
}
