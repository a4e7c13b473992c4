package org.idallocator.core.generator;

/**
 * What one compare-and-set took out of a {@link TickSequence}: {@code count} places from {@code first} on in one tick (or,
 * for a sequence that spans ticks, {@code count} ticks from {@code tick} on). With a count of 0 nothing was taken.
 *
 * @param tick the tick, or the first of several
 * @param toggle the tick-tock bit, 0 or 1
 * @param first the first place, 0 to capacity - 1; places run on modulo the capacity
 * @param count how many, 0 when the caller must wait
 * @param resumeTick the tick at which the clock has to be before more can be taken; meaningful when fewer were taken than
 *     wanted
 */
record Claim(long tick, int toggle, int first, int count, long resumeTick) {

    static Claim none(long resumeTick) {
        return new Claim(0, 0, 0, 0, resumeTick);
    }
}
