package org.idallocator.zk.store;

import java.util.function.LongSupplier;
import org.idallocator.core.clock.Clock;

/**
 * One machine's clocks in a simulation. The wall clock is off by whatever the test says; the monotonic clock is right
 * but for its origin. After reading either, a thread may stop for any time, with the reading in its hands.
 */
public final class SimulatedClock implements Clock {
    /** The beginning of a simulation: 2024-01-01T00:00:00Z, in microseconds since 1970. */
    public static final long BEGINNING_MICROS = 1_704_067_200_000_000L;

    private static final Parking NOTHING_WAITS = new Parking() {
        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException("nothing here waits for a tick");
        }

        @Override
        public void unpark(Thread thread) {
            // it does not wait
        }
    };

    private final LongSupplier trueNanos;
    private final long originNanos;
    private final Runnable pause;
    private final Parking parking;
    private long offMicros;

    /** A clock of a machine on which nothing waits for a tick; {@code pause} comes after each reading. */
    public SimulatedClock(LongSupplier trueNanos, long originNanos, Runnable pause) {
        this(trueNanos, originNanos, pause, NOTHING_WAITS);
    }

    /** The same, where threads wait for ticks as {@code parking} has them. */
    public SimulatedClock(LongSupplier trueNanos, long originNanos, Runnable pause, Parking parking) {
        this.trueNanos = trueNanos;
        this.originNanos = originNanos;
        this.pause = pause;
        this.parking = parking;
    }

    /** How threads wait in the time of a simulation. */
    public interface Parking {

        /** Has the thread that calls this wait for so many nanoseconds, or until it is unparked. */
        void park(long nanos);

        /** Ends the wait of this thread; where none is under way, the next one. */
        void unpark(Thread thread);
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
        parking.park(nanos);
    }

    /** Has this thread's {@link #park} return at once: the one that is under way, or else its next. */
    @Override
    public void unpark(Thread thread) {
        parking.unpark(thread);
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
