package org.idallocator.core.clock;

import java.util.function.LongSupplier;

/**
 * Wall time by monotonic time, which whoever asks has read already: a sample of both clocks, and what has passed since. Whoever
 * finds the sample older than about a millisecond takes the next one. So the time is right within 50 µs, except in the
 * millisecond after the wall clock has jumped. Thread-safe.
 */
final class RecentWall {
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

    /** Keeps no sample where the thread was stopped between the two clocks, because then the readings are not of one moment. */
    private long sampled(long nowNanos) {
        long micros = wallMicros.getAsLong();
        long afterNanos = nanos.getAsLong();
        if (afterNanos - nowNanos < TOGETHER_NANOS) {
            sample = new Sample(afterNanos, micros);
        }
        return micros;
    }
}
