package org.idallocator.core.generator;

import java.util.Objects;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * What one compare-and-set took out of a {@link TickSequence}, or a {@link #part} of that: {@code count} sequence
 * numbers of one tick, from {@code first} on. Of a sequence that takes several ticks in one step, {@code count} ticks
 * from {@code tick} on. With a count of 0 nothing was taken.
 *
 * @param by the generator of the numbers; null where nothing was taken, and within the sequence
 * @param tick the tick, or the first of several
 * @param lastTick the same tick, or the last of several
 * @param toggle the tick-tock bit, 0 or 1
 * @param first the first number; numbers run on modulo the capacity
 * @param count how many, 0 when the caller must wait
 * @param waitNanos nanoseconds until more can be taken, by the clock reading that this was taken with
 * @param until what that wait is for
 */
public record Taken(
        @Nullable Generator by,
        long tick,
        long lastTick,
        int toggle,
        int first,
        int count,
        long waitNanos,
        Until until) {

    /** What a caller waits for that would have more. */
    public enum Until {
        /** The clock, as it goes on, reaches a tick of which nobody has taken all. */
        NEXT_TICK,
        /**
         * The clock reaches the tenure's floor for the first time, which is above all that earlier holders of the slot
         * reserved.
         */
        FLOOR,
        /**
         * The clock, which was put back, is past the last tick taken from, or past what was taken on the other
         * timeline, and past the tenure's floor.
         */
        CLOCK_CATCHES_UP
    }

    /** Nothing, and how long to wait. */
    public static Taken none(long waitNanos, Until until) {
        return new Taken(null, 0, 0, 0, 0, 0, waitNanos, until);
    }

    Taken by(Generator generator) {
        return count == 0 ? this : new Taken(generator, tick, lastTick, toggle, first, count, waitNanos, until);
    }

    /**
     * So many of these numbers, after the first {@code from}. Parts that do not overlap have no number in common,
     * because all are of one tick.
     *
     * @throws IllegalStateException where these are of several ticks: every part would begin with the first tick, and
     *     repeat IDs
     */
    Taken part(int from, int newCount) {
        if (lastTick != tick) {
            throw new IllegalStateException(
                    "numbers of several ticks cannot be shared: ticks " + tick + " to " + lastTick);
        }
        return new Taken(by, tick, lastTick, toggle, first + from, newCount, waitNanos, until);
    }

    /** As {@link Generator#emit}. */
    int emit(int wanted, Variant variant, IdSink sink) {
        return Objects.requireNonNull(by).emit(this, wanted, variant, sink);
    }
}
