package org.idallocator.core.generator;

import java.util.function.LongConsumer;
import org.idallocator.core.clock.Clock;

/**
 * A clock that parks otherwise: {@code parks} gets the nanoseconds, and moves the clock or does what others do
 * meanwhile.
 */
record ParkingClock(Clock clock, LongConsumer parks) implements Clock {
    @Override
    public long micros() {
        return clock.micros();
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void park(long nanos) {
        parks.accept(nanos);
    }

    @Override
    public void unpark(Thread thread) {
        clock.unpark(thread);
    }
}
