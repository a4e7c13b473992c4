package org.idallocator.core.generator;

/**
 * What one compare-and-set took out of a {@link TickSequence}: {@code count} sequence numbers of one tick, from {@code
 * first} on. Of a sequence that takes several ticks at once, {@code count} ticks from {@code tick} on. With a count of 0
 * nothing was taken.
 *
 * @param tick the tick, or the first of several
 * @param toggle the tick-tock bit, 0 or 1
 * @param first the first number, 0 to capacity - 1; numbers run on modulo the capacity
 * @param count how many, 0 when the caller must wait
 * @param waitNanos nanoseconds until more can be taken, by the clock reading that this was taken with
 * @param cooling whether that wait is for the tenure's floor
 */
record Taken(long tick, int toggle, int first, int count, long waitNanos, boolean cooling) {

    static Taken none(long waitNanos, boolean cooling) {
        return new Taken(0, 0, 0, 0, waitNanos, cooling);
    }
}
