package org.idallocator.faults.ids;

import java.util.Map;
import org.idallocator.core.scheme.EightByteScheme;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;

/**
 * An ID's 128 bits, turned to the right until what counts up in a batch is lowest: then batches are {@link Run}s.
 * Turning loses nothing, so keys are equal if and only if their IDs are.
 *
 * @param turn how far, 0..127
 */
record Key(int turn) {
    /** The bits below the counting ones; of schemes not named here the lowest bits count, or none does. */
    private static final Map<String, Integer> BITS_BELOW = Map.of(MuidScheme.NAME, 72, EightByteScheme.NAME, 16);

    static Key of(Scheme<?> scheme) {
        return new Key(BITS_BELOW.getOrDefault(scheme.name(), 0));
    }

    /** The upper half of the key. */
    long high(long high, long low) {
        return turn < Long.SIZE ? half(high, low) : half(low, high);
    }

    /** The lower half. */
    long low(long high, long low) {
        return turn < Long.SIZE ? half(low, high) : half(high, low);
    }

    /** What becomes of {@code own} bits when {@code above} come in from the left. */
    private long half(long own, long above) {
        int within = turn % Long.SIZE;
        return within == 0 ? own : own >>> within | above << (Long.SIZE - within);
    }

    /** Undoes the turn. */
    Key back() {
        return new Key((2 * Long.SIZE - turn) % (2 * Long.SIZE));
    }
}
