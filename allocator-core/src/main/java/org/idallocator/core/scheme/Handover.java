package org.idallocator.core.scheme;

import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;

/**
 * How a generator that was closed in order lets the slot's next tenure go on where it stopped, within the same tick and
 * within ticks that its own clock has not reached yet. Without it the next tenure starts above the last tick used.
 *
 * @param <S> what {@link Generator#handover} gives; a value that Jackson writes and reads
 * @param type of that value
 * @param used what the value says of a slot
 * @param resume opens the generator that goes on from it
 */
public record Handover<S>(Class<S> type, Used<S> used, Resume<S> resume) {

    /** Looks into a value. */
    @FunctionalInterface
    public interface Used<S> {
        /**
         * The highest tick of which something may be used.
         *
         * @throws IllegalArgumentException when {@code from} was not left by a generator of this slot
         */
        long lastTick(long slot, S from);
    }

    /** Opens a generator. */
    @FunctionalInterface
    public interface Resume<S> {
        /**
         * A generator for the tenure that follows the one that left {@code from}, of this slot. The fence's floor must not be
         * below that tenure's.
         */
        Generator open(long slot, S from, Fence fence, Clock clock);
    }
}
