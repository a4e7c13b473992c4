package org.idallocator.core.generator;

import java.util.Arrays;

/**
 * A compact record of what was taken, and the search for anything taken twice. Each take is one {@code long}: the
 * timeline, the position and the count. A position is {@code tick * capacity + sequence number}. Not
 * thread-safe: each thread has one of its own, and they are put together at the end.
 */
final class TakenLedger {
    private static final int COUNT_BITS = 17;
    private static final int TOGGLE_SHIFT = 62;
    private static final long POSITION_MASK = (1L << (TOGGLE_SHIFT - COUNT_BITS)) - 1;

    private final int capacity;
    private long[] takes = new long[1 << 10];
    private int size;
    private long numbers;
    private long highestTick = -1;

    /** {@code capacity} is that of the shape; {@code tick * capacity} must fit 45 bits. */
    TakenLedger(int capacity) {
        this.capacity = capacity;
    }

    void add(Taken taken) {
        int inTick = capacity == 1 ? taken.count() : Math.min(taken.count(), capacity - taken.first());
        add(taken.toggle(), taken.tick(), taken.first(), inTick);
        if (inTick < taken.count()) {
            add(taken.toggle(), taken.tick(), 0, taken.count() - inTick);
        }
        numbers += taken.count();
        highestTick = Math.max(highestTick, taken.tick() + (capacity == 1 ? taken.count() - 1 : 0));
    }

    private void add(int toggle, long tick, int first, int count) {
        if (size == takes.length) {
            takes = Arrays.copyOf(takes, 2 * size);
        }
        long position = tick * capacity + first;
        takes[size++] = (long) toggle << TOGGLE_SHIFT | position << COUNT_BITS | count;
    }

    void addAll(TakenLedger others) {
        takes = Arrays.copyOf(takes, size + others.size + 1);
        System.arraycopy(others.takes, 0, takes, size, others.size);
        size += others.size;
        numbers += others.numbers;
        highestTick = Math.max(highestTick, others.highestTick);
    }

    /** How many sequence numbers were taken. */
    long numbers() {
        return numbers;
    }

    /** The highest tick on either timeline; -1 when nothing was taken. */
    long highestTick() {
        return highestTick;
    }

    /** How many takes begin before the previous one on their timeline ends. */
    int overlaps() {
        Arrays.sort(takes, 0, size);
        int overlaps = 0;
        for (int i = 1; i < size; i++) {
            boolean sameSide = takes[i - 1] >>> TOGGLE_SHIFT == takes[i] >>> TOGGLE_SHIFT;
            long end = position(takes[i - 1]) + (takes[i - 1] & ((1 << COUNT_BITS) - 1));
            overlaps += sameSide && position(takes[i]) < end ? 1 : 0;
        }
        return overlaps;
    }

    private static long position(long take) {
        return take >>> COUNT_BITS & POSITION_MASK;
    }
}
