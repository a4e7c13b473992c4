package org.idallocator.core.generator;

import java.util.Objects;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * What one compare-and-set took out of a {@link TickSequence}, or a {@link #part} of that: {@code count} sequence numbers of one
 * tick, from {@code first} on. Of a sequence that takes several ticks at once, {@code count} ticks from {@code tick} on. With a
 * count of 0 nothing was taken.
 *
 * @param by the generator of the numbers; null where nothing was taken, and within the sequence
 * @param tick the tick, or the first of several
 * @param lastTick the same tick, or the last of several
 * @param toggle the tick-tock bit, 0 or 1
 * @param first the first number; numbers run on modulo the capacity
 * @param count how many, 0 when the caller must wait
 * @param waitNanos nanoseconds until more can be taken, by the clock reading that this was taken with
 * @param cooling whether that wait is for the tenure's floor, which is above all that earlier holders of the slot reserved
 */
public record Taken(
        @Nullable Generator by,
        long tick,
        long lastTick,
        int toggle,
        int first,
        int count,
        long waitNanos,
        boolean cooling) {

    /** Nothing, and how long to wait. */
    public static Taken none(long waitNanos, boolean cooling) {
        return new Taken(null, 0, 0, 0, 0, 0, waitNanos, cooling);
    }

    Taken by(Generator generator) {
        return count == 0 ? this : new Taken(generator, tick, lastTick, toggle, first, count, waitNanos, cooling);
    }

    /**
     * So many of these numbers, after the first {@code from}. Parts that do not overlap have no number in common, because all are
     * of one tick.
     *
     * @throws IllegalStateException where these are of several ticks: every part would begin with the first tick, and repeat IDs
     */
    Taken part(int from, int newCount) {
        if (lastTick != tick) {
            throw new IllegalStateException(
                    "numbers of several ticks cannot be shared: ticks " + tick + " to " + lastTick);
        }
        return new Taken(by, tick, lastTick, toggle, first + from, newCount, waitNanos, cooling);
    }

    /** As {@link Generator#emit}. */
    int emit(int wanted, Variant variant, IdSink sink) {
        return Objects.requireNonNull(by).emit(this, wanted, variant, sink);
    }
}
