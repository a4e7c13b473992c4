package org.idallocator.core.scheme;

import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;

/**
 * How a slot's next tenure goes on where a generator that was closed in order stopped: within the same tick, and within
 * ticks that the next tenure's clock has not reached yet. Without a hand-over, the next tenure starts above the last
 * tick used.
 *
 * @param <S> the type of what {@link Generator#handover} gives, a value that Jackson writes and reads
 * @param type the class of that value
 * @param used says how much of a slot the value declares as used
 * @param resume opens the generator that goes on from the value
 */
public record Handover<S>(Class<S> type, Used<S> used, Resume<S> resume) {

    /** Reads from a value how much of a slot is used. */
    @FunctionalInterface
    public interface Used<S> {
        /**
         * The highest tick that may be used, in whole or in part.
         *
         * @throws IllegalArgumentException when {@code from} was not left by a generator of this slot
         */
        long lastTick(long slot, S from);
    }

    /** Opens the generator that goes on from a value. */
    @FunctionalInterface
    public interface Resume<S> {
        /**
         * A generator for the slot's next tenure, after the one that left {@code from}. The fence's floor must not be
         * below the earlier tenure's floor.
         */
        Generator open(long slot, S from, Fence fence);
    }
}
