package org.idallocator.core.clock;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The source of all time. Only this package reads the machine's clocks.
 *
 * <p>Wall time may jump in either direction at any moment, so nothing that keeps IDs apart may depend on it. Monotonic
 * time never steps back within one process, and means nothing outside of the process. Implementations are thread-safe.
 */
public interface Clock {

    /** Wall time in microseconds since 1970-01-01T00:00:00Z; negative before. */
    long micros();

    /** Wall time as an instant: what {@link #micros} gives. */
    default Instant instant() {
        return Instant.EPOCH.plus(micros(), ChronoUnit.MICROS);
    }

    /**
     * Monotonic time in nanoseconds from an arbitrary origin. It wraps around, so compare readings by difference only.
     */
    long nanos();

    /**
     * Wall time in microseconds, told by monotonic time: about what {@link #micros} gives, but off by the jump for a
     * moment after the wall clock has jumped. It helps to guess the tick in use. Nothing that keeps IDs apart may
     * depend on it.
     *
     * @param nanos the reading of {@link #nanos} that the caller has just taken: the caller then reads one clock
     *     instead of two
     */
    default long recentMicros(long nanos) {
        return micros();
    }

    /**
     * Blocks the caller for about {@code nanos} ns, or less, as when its thread is interrupted or {@link #unpark
     * unparked}; the interrupt flag stays set.
     */
    void park(long nanos);

    /**
     * Has a thread's {@link #park} return at once: the one that is under way, or else perhaps its next. Never blocks. A
     * clock whose {@code park} does not wait in {@link LockSupport} wakes its own sleepers.
     */
    default void unpark(Thread thread) {
        LockSupport.unpark(thread);
    }

    /** The machine's clocks. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
