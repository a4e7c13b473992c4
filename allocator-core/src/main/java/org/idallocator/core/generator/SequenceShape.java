package org.idallocator.core.generator;

import org.idallocator.core.clock.TickUnit;

/**
 * How a scheme counts within time.
 *
 * @param unit the scheme's ticks
 * @param capacity sequence numbers in a tick, 1..65536
 * @param continues whether a new tick goes on where the last one stopped, modulo the capacity, instead of at number 0
 * @param tickTocks whether a clock that steps back toggles a bit instead of holding the last tick
 * @param ticksAtOnce how many ticks one call may take, back from now; more than 1 only with a capacity of 1
 */
record SequenceShape(TickUnit unit, int capacity, boolean continues, boolean tickTocks, int ticksAtOnce) {

    SequenceShape {
        if (ticksAtOnce > 1 && (capacity > 1 || tickTocks)) {
            throw new IllegalArgumentException("only a plain sequence of capacity 1 spans ticks: " + ticksAtOnce);
        }
    }

    /** Each tick starts at number 0; a clock that steps back holds the last tick. */
    static SequenceShape plain(TickUnit unit, int capacity) {
        return new SequenceShape(unit, capacity, false, false, 1);
    }

    /** As {@link #plain}, but a new tick goes on where the last one stopped. */
    static SequenceShape continuing(TickUnit unit, int capacity) {
        return new SequenceShape(unit, capacity, true, false, 1);
    }

    /** As {@link #plain}, but a clock that steps back toggles a bit. */
    static SequenceShape tickTocking(TickUnit unit, int capacity) {
        return new SequenceShape(unit, capacity, false, true, 1);
    }

    /** One number in a tick, and up to {@code ticksAtOnce} ticks in one call. */
    static SequenceShape spanning(TickUnit unit, int ticksAtOnce) {
        return new SequenceShape(unit, 1, false, false, ticksAtOnce);
    }

    int startBits() {
        return continues ? Integer.SIZE - Integer.numberOfLeadingZeros(capacity - 1) : 0;
    }

    /** Holds 0 to capacity, both inclusive. */
    int usedBits() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(capacity);
    }
}
