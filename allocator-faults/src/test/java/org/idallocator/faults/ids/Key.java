package org.idallocator.faults.ids;

import java.util.Map;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;

/**
 * An ID's 128 bits, turned to the right until what counts up in a batch is lowest: then batches are {@link Run}s. Turning
 * loses nothing, so keys are equal if and only if their IDs are.
 *
 * @param turn how far, 0..127
 */
record Key(int turn) {
    /** The bits below the counting ones; of schemes not named here the lowest bits count, or none does. */
    private static final Map<String, Integer> BITS_BELOW = Map.of(MuidScheme.NAME, 72, EightByteScheme.NAME, 16);

    static Key of(Scheme<?> scheme) {
        return new Key(BITS_BELOW.getOrDefault(scheme.name(), 0));
    }

    long high(long high, long low) {
        return upper(high, low, turn);
    }

    long low(long high, long low) {
        return upper(low, high, turn);
    }

    /** The upper half of {@code high:low} turned right, which is the lower half of {@code low:high} turned as far. */
    private static long upper(long high, long low, int turn) {
        int within = turn % Long.SIZE;
        long first = turn < Long.SIZE ? high : low;
        long second = turn < Long.SIZE ? low : high;
        return within == 0 ? first : first >>> within | second << (Long.SIZE - within);
    }

    /** Undoes the turn. */
    Key back() {
        return new Key((2 * Long.SIZE - turn) % (2 * Long.SIZE));
    }
}
