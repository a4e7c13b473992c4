package org.idallocator.zk.store;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * One machine's clocks in a simulation. The wall clock is off by whatever the test says; the monotonic clock is right but for
 * its origin. After reading either, a thread may stop for any time, with the reading in its hands.
 */
public final class SimulatedClock implements Clock {
    /** The beginning of a simulation: 2024-01-01T00:00:00Z, in microseconds since 1970. */
    public static final long BEGINNING_MICROS = 1_704_067_200_000_000L;

    private final LongSupplier trueNanos;
    private final long originNanos;
    private final Runnable pause;
    private final LongConsumer parking;
    private long offMicros;

    /** A clock of a machine on which nothing waits for a tick; {@code pause} comes after each reading. */
    public SimulatedClock(LongSupplier trueNanos, long originNanos, Runnable pause) {
        this(trueNanos, originNanos, pause, nanos -> {
            throw new UnsupportedOperationException("nothing here waits for a tick");
        });
    }

    /** The same, where threads wait for ticks: {@code parking} has them wait for so many nanoseconds of the simulation's time. */
    public SimulatedClock(LongSupplier trueNanos, long originNanos, Runnable pause, LongConsumer parking) {
        this.trueNanos = trueNanos;
        this.originNanos = originNanos;
        this.pause = pause;
        this.parking = parking;
    }

    @Override
    public long micros() {
        long reading = readMicros();
        pause.run();
        return reading;
    }

    @Override
    public long nanos() {
        long reading = readNanos();
        pause.run();
        return reading;
    }

    @Override
    public void park(long nanos) {
        parking.accept(nanos);
    }

    /** As {@link #micros}, without a pause. */
    public long readMicros() {
        return BEGINNING_MICROS + trueNanos.getAsLong() / 1_000 + offMicros;
    }

    /** As {@link #nanos}, without a pause. */
    public long readNanos() {
        return originNanos + trueNanos.getAsLong();
    }

    /** The clock of a process that was copied with its machine: it reads the same, until it is set. */
    public SimulatedClock copy(Runnable itsPause) {
        SimulatedClock copy = new SimulatedClock(trueNanos, originNanos, itsPause, parking);
        copy.offMicros = offMicros;
        return copy;
    }

    /** Sets the wall clock this far off, in microseconds: positive is ahead. */
    public void off(long micros) {
        offMicros = micros;
    }
}
