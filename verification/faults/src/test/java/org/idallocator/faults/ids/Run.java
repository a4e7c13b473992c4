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

    /** Whether the last key is larger than that of a run whose first key is no larger. */
    boolean reachesBeyond(Run earlier) {
        return high != earlier.high || Long.compareUnsigned(last(), earlier.last()) > 0;
    }

    /** How many keys, from the first on, are of a run whose first key is no larger. */
    long repeats(Run earlier) {
        if (high != earlier.high || Long.compareUnsigned(low, earlier.last()) > 0) {
            return 0;
        }
        return reachesBeyond(earlier) ? earlier.last() - low + 1 : count;
    }

    /** By the first key, unsigned. */
    @Override
    public int compareTo(Run other) {
        return BY_FIRST.compare(this, other);
    }
}
