package org.idallocator.core.clock;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/** The machine's clocks. {@link Instant#now} has microseconds where the platform has them. */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    private static final long SPIN_NANOS = 20_000;
    private static final int SAMPLE_BITS = 20; // a sample serves for 2^20 ns, about 1 ms

    private volatile Sample sample = new Sample(nanos(), micros());

    private SystemClock() {}

    /** Wall time at a moment of monotonic time. */
    private record Sample(long nanos, long micros) {}

    @Override
    public long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    /** Goes on from a sample of wall time, which whoever comes first takes anew about every millisecond. */
    @Override
    public long recentMicros(long recentNanos) {
        Sample last = sample;
        long sinceNanos = recentNanos - last.nanos;
        if (sinceNanos >>> SAMPLE_BITS == 0) {
            return last.micros + sinceNanos / 1_000;
        }
        long micros = micros();
        sample = new Sample(recentNanos, micros);
        return micros;
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
