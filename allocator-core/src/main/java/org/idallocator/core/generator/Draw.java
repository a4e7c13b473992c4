package org.idallocator.core.generator;

/**
 * The outcome of one draw.
 *
 * @param issued how many IDs the sink received, 0 or more; of a transaction, how many objects
 * @param waitNanos nanoseconds to wait before asking for the rest; 0 when nothing is left to ask for
 * @param cooling whether the wait is for the tenure's first tick, which is above all that earlier holders of the slot
 *     reserved
 */
public record Draw(int issued, long waitNanos, boolean cooling) {

    static Draw all(int issued) {
        return new Draw(issued, 0, false);
    }
}
