package org.idallocator.faults.ids;

import java.util.Comparator;

/**
 * Keys that follow each other: {@code first}, {@code first + 1} and so on, as unsigned integers of 128 bits.
 *
 * @param high the upper bits, of all of them: a run ends where the lower bits would carry
 * @param low the lower bits of the first
 * @param count how many, 1 or more
 */
record Run(long high, long low, long count) implements Comparable<Run> {
    private static final Comparator<Run> BY_FIRST =
            Comparator.comparing(Run::high, Long::compareUnsigned).thenComparing(Run::low, Long::compareUnsigned);

    /** The lower bits of the last. */
    long last() {
        return low + count - 1;
    }

    /** By the first key, unsigned. */
    @Override
    public int compareTo(Run other) {
        return BY_FIRST.compare(this, other);
    }
}
