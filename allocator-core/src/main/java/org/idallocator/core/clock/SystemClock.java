package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks: {@link Instant#now} has microseconds where the platform has them. */
enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void park(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
