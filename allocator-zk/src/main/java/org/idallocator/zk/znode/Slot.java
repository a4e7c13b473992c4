package org.idallocator.zk.znode;

import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;

/**
 * One slot of a scheme.
 *
 * @param scheme the scheme that it belongs to
 * @param pool the scheme's pool
 * @param number 0 to the pool's size - 1
 */
public record Slot(Scheme<?> scheme, SlotPool pool, long number) {

    /** A slot of a scheme that has slots. */
    public static Slot of(Scheme<?> scheme, long number) {
        return new Slot(scheme, scheme.pool().orElseThrow(), number);
    }

    /** The slot's name, as it is written everywhere: {@code 07}. */
    public String name() {
        return pool.nameOf(number);
    }

    /** The scheme's ticks. */
    public TickUnit unit() {
        return pool.unit();
    }

    @Override
    public String toString() {
        return scheme.name() + " slot " + name();
    }
}
