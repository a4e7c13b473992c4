package org.idallocator.core.generator;

import java.util.Objects;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;

/**
 * The state of a sno generator, in the words of the original: a closed generator is restored from it, and a new one is
 * configured by it. Times are units of 4 ms since 2010-01-01T00:00:00Z, 0 to {@link Sno#MAX_TIMESTAMP_UNITS}.
 *
 * <p>Values mean what they mean to the original: the bounds stand in either order, a {@code sequenceMax} of 0 means
 * 65535, and a {@code sequence} of 0 means the lower bound. To Jackson a snapshot is an object with these fields. The
 * partition is written as its two bytes, {@code [197, 55]}, and may be read as a number too; a field that is left out
 * is read as 0.
 *
 * <p>This snapshot says how much of {@code wallHi} is used even when the clock reads another time. The original's then
 * says the lower bound, and its restored generator repeats IDs when the clock is back at {@code wallHi}.
 *
 * @param partition the generator's partition
 * @param sequenceMin the first sequence of the generator's range, inclusive
 * @param sequenceMax the last, inclusive
 * @param sequence the sequence used last at {@code wallHi}; a number above the range means that the tick is used up; at
 *     most 4294967295
 * @param now what the clock read when the snapshot was taken; 0 when that is not known
 * @param wallHi the time of the last ID; before the first ID, the first time that the generator may use
 * @param wallSafe the highest time used under the other value of the tick-tock bit
 * @param drifts how often the clock stepped back, modulo 2^32; its lowest bit is the tick-tock bit
 */
public record SnoSnapshot(
        SnoPartition partition,
        int sequenceMin,
        int sequenceMax,
        long sequence,
        long now,
        long wallHi,
        long wallSafe,
        long drifts) {
    static final long MAX_COUNT = (1L << 32) - 1;

    /** Throws {@link IllegalArgumentException} for a bad value, naming it and what is allowed. */
    public SnoSnapshot {
        partition = Objects.requireNonNullElse(partition, SnoPartition.of(0)); // null where JSON leaves it out
        SnoRange range = SnoRange.ofBounds(sequenceMin, sequenceMax);
        sequenceMin = range.min();
        sequenceMax = range.max();
        sequence = sequence == 0 ? range.min() : sequence;
        Bounds.require("sequence", sequence, range.min(), MAX_COUNT);
        Bounds.require("now", now, 0, Sno.MAX_TIMESTAMP_UNITS);
        Bounds.require("wallHi", wallHi, 0, Sno.MAX_TIMESTAMP_UNITS);
        Bounds.require("wallSafe", wallSafe, 0, Sno.MAX_TIMESTAMP_UNITS);
        Bounds.require("drifts", drifts, 0, MAX_COUNT);
    }

    /** The snapshot of a generator that has issued nothing. */
    public static SnoSnapshot fresh(SnoPartition partition, SnoRange range) {
        return new SnoSnapshot(partition, range.min(), range.max(), range.min(), 0, 0, 0, 0);
    }

    /** The sequences of the generator. */
    public SnoRange range() {
        return new SnoRange(sequenceMin, sequenceMax);
    }

    /**
     * How many sequences of {@code wallHi} are used, at most all. When its clock is elsewhere, the original says the
     * lower bound whatever is used, so the lower bound then counts as all.
     */
    int used() {
        boolean untold = sequence == sequenceMin && now != 0 && now != wallHi;
        return untold ? range().size() : (int) Math.min(range().size(), sequence - sequenceMin + 1);
    }

    /** The highest time used under either value of the tick-tock bit. */
    public long lastTick() {
        return Math.max(wallHi, wallSafe);
    }
}
