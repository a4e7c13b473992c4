package org.idallocator.zk.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.idallocator.core.id.IdSink;

/**
 * Sees every ID of one scheme, as an integer of 128 bits, and counts those that it has seen before. Thread-safe.
 *
 * <p>A million IDs take 27 to 53 MB: each stripe is a set with open addressing in one array of longs, two to an ID,
 * that doubles when it is six tenths full.
 */
public final class DuplicateChecker implements IdSink {
    private static final int STRIPES = 64;
    private static final int EXAMPLES = 5;

    private final List<Stripe> stripes =
            IntStream.range(0, STRIPES).mapToObj(i -> new Stripe()).toList();
    private final LongAdder seenCount = new LongAdder();
    private final LongAdder duplicateCount = new LongAdder();
    private final List<String> examples = new ArrayList<>();

    @Override
    public void accept(long high, long low) {
        seenCount.increment();
        long hash = hash(high, low);
        if (!stripes.get((int) (hash >>> 58)).add(hash, high, low)) {
            duplicate(high, low);
        }
    }

    private synchronized void duplicate(long high, long low) {
        duplicateCount.increment();
        if (examples.size() < EXAMPLES) {
            examples.add(String.format("%016x%016x", high, low));
        }
    }

    /** How many IDs it has seen. */
    public long seen() {
        return seenCount.sum();
    }

    /** How many of these IDs equal an earlier one. */
    public long duplicates() {
        return duplicateCount.sum();
    }

    /** Some duplicates, as 32 hex digits. */
    public synchronized List<String> examples() {
        return List.copyOf(examples);
    }

    /** Throws with examples when any two IDs were equal. */
    public void requireNone() {
        if (duplicates() > 0) {
            throw new AssertionError(
                    duplicates() + " of " + seen() + " IDs equal an earlier one, among them " + examples());
        }
    }

    /** Two rounds of SplitMix64's mixer: IDs differ in a few bits, and every bit must reach every other. */
    private static long hash(long high, long low) {
        return mix(mix(high) + low);
    }

    private static long mix(long bits) {
        long z = bits + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A set of pairs of longs; a pair of zeros marks a free place and is kept beside the table. */
    private static final class Stripe {
        private long[] table = new long[1 << 11];
        private int used;
        private boolean zero;

        /** Adds a pair; false when it was there. */
        synchronized boolean add(long hash, long high, long low) {
            if ((high | low) == 0) {
                boolean fresh = !zero;
                zero = true;
                return fresh;
            }
            if (used * 10L >= table.length / 2 * 6L) {
                grow();
            }
            return place(hash, high, low);
        }

        private boolean place(long hash, long high, long low) {
            int mask = table.length / 2 - 1;
            int i = (int) hash & mask;
            while ((table[2 * i] | table[2 * i + 1]) != 0) {
                if (table[2 * i] == high && table[2 * i + 1] == low) {
                    return false;
                }
                i = (i + 1) & mask;
            }
            table[2 * i] = high;
            table[2 * i + 1] = low;
            used++;
            return true;
        }

        private void grow() {
            long[] old = table;
            table = new long[old.length * 2];
            used = 0;
            for (int i = 0; i < old.length; i += 2) {
                if ((old[i] | old[i + 1]) != 0) {
                    place(hash(old[i], old[i + 1]), old[i], old[i + 1]);
                }
            }
        }
    }
}
