package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks. {@link Instant#now} has microseconds where the platform has them. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    private static final long SPIN_NANOS = 20_000;

    private final RecentWall wall = new RecentWall(this::micros, this::nanos);

    private SystemClock() {}

    @Override
    public long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    /** Right within 50 µs, except in the millisecond after the wall clock has jumped. */
    @Override
    public long recentMicros(long recentNanos) {
        return wall.micros(recentNanos);
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
