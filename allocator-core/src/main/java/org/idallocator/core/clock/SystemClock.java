package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** The machine's clocks. {@link Instant#now} has microseconds where the platform has them. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock(Spinners.onHalfTheCores(), LockSupport::parkNanos);

    private static final long SPIN_NANOS = 20_000;

    private final RecentWall wall = new RecentWall(this::micros, this::nanos);

    private final Spinners spinners;
    private final LongConsumer parker;

    /** {@code parker} waits for so many nanoseconds, or less, without spinning. */
    SystemClock(Spinners spinners, LongConsumer parker) {
        this.spinners = spinners;
        this.parker = parker;
    }

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

    /**
     * Spins through a wait of a few microseconds, because waking a parked thread takes some 60 µs, unless so many threads spin that
     * half the cores are theirs.
     */
    @Override
    public void park(long nanos) {
        if (nanos > SPIN_NANOS || !spinners.begin()) {
            parker.accept(nanos);
            return;
        }
        try {
            spin(nanos);
        } finally {
            spinners.end();
        }
    }

    private void spin(long nanos) {
        long startNanos = nanos();
        while (nanos() - startNanos < nanos) {
            Thread.onSpinWait();
        }
    }
}
