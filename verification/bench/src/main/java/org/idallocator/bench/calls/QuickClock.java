package org.idallocator.bench.calls;

import org.idallocator.core.clock.Clock;

/**
 * Another clock's time, whose wall time runs 64 times as fast. A sno's tick holds 65,536 IDs in 4 ms, 61 ns each: on
 * the true time, whoever draws faster than that measures waiting.
 */
final class QuickClock implements Clock {
    private static final int SPEED = 64;

    private final Clock clock;
    private final long startMicros;

    QuickClock(Clock clock) {
        this.clock = clock;
        this.startMicros = clock.micros();
    }

    @Override
    public long micros() {
        return quick(clock.micros());
    }

    private long quick(long micros) {
        return startMicros + SPEED * (micros - startMicros);
    }

    @Override
    public long recentMicros(long nanos) {
        return quick(clock.recentMicros(nanos));
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void park(long nanos) {
        clock.park(nanos / SPEED);
    }
}
