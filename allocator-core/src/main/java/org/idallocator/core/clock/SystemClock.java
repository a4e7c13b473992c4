package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** The machine's clocks. {@link Instant#now} has microseconds where the platform has them. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE =
            new SystemClock(Math.max(1, Runtime.getRuntime().availableProcessors() / 2), LockSupport::parkNanos);

    private static final long SPIN_NANOS = 20_000;

    private final RecentWall wall = new RecentWall(this::micros, this::nanos);
    private final Semaphore spinners;
    private final LongConsumer parker;

    /**
     * Clocks of which some waits spin.
     *
     * @param spinners how many threads may spin at a time: who spins takes a core from those who have work to do
     * @param parker waits for so many nanoseconds, or less, without spinning
     */
    SystemClock(int spinners, LongConsumer parker) {
        this.spinners = new Semaphore(spinners);
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
    public long recentMicros(long nanos) {
        return wall.micros(nanos);
    }

    /** Spins through a wait of a few microseconds, because waking a parked thread takes some 60 µs. */
    @Override
    public void park(long nanos) {
        if (nanos > SPIN_NANOS || !spinners.tryAcquire()) {
            parker.accept(nanos);
            return;
        }
        long startNanos = nanos();
        try {
            while (nanos() - startNanos < nanos) {
                Thread.onSpinWait();
            }
        } finally {
            spinners.release();
        }
    }

    /**
     * Wall time by monotonic time: a sample of both clocks, and what has passed since. Whoever finds the sample older
     * than about a millisecond takes the next one. Thread-safe.
     */
    static final class RecentWall {
        private static final int SAMPLE_BITS = 20; // a sample serves for 2^20 ns, about 1 ms
        private static final long TOGETHER_NANOS = 50_000;

        private final LongSupplier wallMicros;
        private final LongSupplier nanos;
        private volatile Sample sample;

        RecentWall(LongSupplier wallMicros, LongSupplier nanos) {
            this.wallMicros = wallMicros;
            this.nanos = nanos;
            this.sample = new Sample(nanos.getAsLong(), wallMicros.getAsLong());
        }

        /** Wall time at a moment of monotonic time. */
        private record Sample(long nanos, long micros) {}

        /** Wall time in microseconds at a moment of monotonic time, which the caller has just read. */
        long micros(long nowNanos) {
            Sample last = sample;
            long sinceNanos = nowNanos - last.nanos;
            return sinceNanos >>> SAMPLE_BITS == 0 ? last.micros + sinceNanos / 1_000 : sampled(nowNanos);
        }

        /**
         * Keeps no sample where the thread was stopped between the two clocks, because then the readings are not of one
         * moment.
         */
        private long sampled(long nowNanos) {
            long micros = wallMicros.getAsLong();
            long afterNanos = nanos.getAsLong();
            if (afterNanos - nowNanos < TOGETHER_NANOS) {
                sample = new Sample(afterNanos, micros);
            }
            return micros;
        }
    }
}
