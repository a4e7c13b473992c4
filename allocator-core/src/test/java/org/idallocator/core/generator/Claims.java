package org.idallocator.core.generator;

import java.util.Arrays;

/**
 * A compact record of what was claimed, and the search for anything claimed twice. Each claim is one {@code long}: on which
 * side of the tick-tock, at which position, how many; a position is tick * capacity + place. Not thread-safe: one for each
 * thread, put together at the end.
 */
final class Claims {
    private static final int COUNT_BITS = 17;
    private static final int TOGGLE_SHIFT = 62;
    private static final long POSITION_MASK = (1L << (TOGGLE_SHIFT - COUNT_BITS)) - 1;

    private final int capacity;
    private long[] claims = new long[1 << 10];
    private int size;
    private long places;
    private long highestTick = -1;

    /** {@code capacity} of the shape, below which the ticks fit in 45 bits. */
    Claims(int capacity) {
        this.capacity = capacity;
    }

    void add(Claim claim) {
        int inTick = capacity == 1 ? claim.count() : Math.min(claim.count(), capacity - claim.first());
        add(claim.toggle(), claim.tick(), claim.first(), inTick);
        if (inTick < claim.count()) {
            add(claim.toggle(), claim.tick(), 0, claim.count() - inTick);
        }
        places += claim.count();
        highestTick = Math.max(highestTick, claim.tick() + (capacity == 1 ? claim.count() - 1 : 0));
    }

    private void add(int toggle, long tick, int first, int count) {
        if (size == claims.length) {
            claims = Arrays.copyOf(claims, 2 * size);
        }
        long position = tick * capacity + first;
        claims[size++] = (long) toggle << TOGGLE_SHIFT | position << COUNT_BITS | count;
    }

    void addAll(Claims others) {
        claims = Arrays.copyOf(claims, size + others.size + 1);
        System.arraycopy(others.claims, 0, claims, size, others.size);
        size += others.size;
        places += others.places;
        highestTick = Math.max(highestTick, others.highestTick);
    }

    /** How many places were claimed. */
    long places() {
        return places;
    }

    /** On either side; -1 for none. */
    long highestTick() {
        return highestTick;
    }

    /** How many claims begin before the one before them ends. */
    int overlaps() {
        Arrays.sort(claims, 0, size);
        int overlaps = 0;
        for (int i = 1; i < size; i++) {
            boolean sameSide = claims[i - 1] >>> TOGGLE_SHIFT == claims[i] >>> TOGGLE_SHIFT;
            long end = position(claims[i - 1]) + (claims[i - 1] & ((1 << COUNT_BITS) - 1));
            overlaps += sameSide && position(claims[i]) < end ? 1 : 0;
        }
        return overlaps;
    }

    private static long position(long claim) {
        return claim >>> COUNT_BITS & POSITION_MASK;
    }
}
