package org.idallocator.core.generator;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;

/**
 * Draws snos for times that the caller chooses, for records that exist already and need IDs of their own time.
 * Thread-safe; never waits; is not fenced.
 *
 * <p>No two IDs of one porter are equal: the porter counts within each time unit of 4 ms, and refuses the next ID when
 * a unit has no sequence left. (The original starts over and repeats IDs.) All IDs have tick 0. The program must keep
 * two rules, so that the IDs differ from others. No generator, here or elsewhere, may have the porter's partition. A
 * partition and range may have only one porter ever, because a new porter does not know what the last one gave.
 *
 * <p>The porter remembers every unit in which it gave an ID, in about 100 bytes each: a million records of different
 * times take 100 MB.
 */
public final class SnoPorter {
    private final SnoPartition partition;
    private final SnoRange range;
    private final ConcurrentMap<Long, Integer> used = new ConcurrentHashMap<>();

    /** {@code range} is {@link SnoRange#ALL} unless several porters share the partition. */
    public SnoPorter(SnoPartition partition, SnoRange range) {
        this.partition = partition;
        this.range = range;
    }

    /**
     * The next ID of the unit that contains {@code time}.
     *
     * @param time {@link Sno#MIN_TIME} to {@link Sno#MAX_TIME}, both inclusive
     * @param metabyte 0..255; it does not keep IDs apart
     * @throws IllegalArgumentException if the time or the metabyte is out of its range
     * @throws IllegalStateException when the sequences of the unit are used up, which changes nothing
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
}
