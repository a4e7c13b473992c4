package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks. {@link Instant#now} has microseconds where the platform has them. */
enum SystemClock implements Clock {
    INSTANCE;

    private static final long SPIN_NANOS = 20_000;

    @Override
    public long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    /** Spins through a wait of a few microseconds: waking a parked thread takes some 60 µs. */
    @Override
    public void park(long nanos) {
        if (nanos > SPIN_NANOS) {
            LockSupport.parkNanos(nanos);
            return;
        }
        long startNanos = nanos();
        while (nanos() - startNanos < nanos) {
            Thread.onSpinWait();
        }
    }
}
