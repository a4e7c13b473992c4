package org.idallocator.core.clock;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is told to move, for deterministic tests of this library and of programs that
 * embed it. {@link #advance} and {@link #park} move wall time and monotonic time together; {@link #setMicros} makes
 * wall time alone jump. Thread-safe.
 */
public final class ScriptedClock implements Clock {
    private final AtomicLong micros;
    private final AtomicLong nanos = new AtomicLong();

    /** A clock that starts at {@code micros} microseconds since 1970-01-01T00:00:00Z. */
    public ScriptedClock(long micros) {
        this.micros = new AtomicLong(micros);
    }

    @Override
    public long micros() {
        return micros.get();
    }

    @Override
    public long nanos() {
        return nanos.get();
    }

    /** Moves both times on by {@code nanos} instead of blocking; wall time by whole microseconds, rounded up. */
    @Override
    public void park(long nanos) {
        this.nanos.addAndGet(nanos);
        micros.addAndGet(-Math.floorDiv(-nanos, 1_000L));
    }

    /** Moves both times on, as {@link #park} does. */
    public void advance(Duration time) {
        park(time.toNanos());
    }

    /** Makes wall time jump to {@code newMicros} microseconds since 1970-01-01T00:00:00Z; monotonic time stays. */
    public void setMicros(long newMicros) {
        micros.set(newMicros);
    }
}
