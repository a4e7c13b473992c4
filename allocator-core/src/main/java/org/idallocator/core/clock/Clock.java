package org.idallocator.core.clock;

/**
 * The source of all time. Only this package reads the machine's clocks.
 *
 * <p>Wall time may jump in either direction at any moment, so nothing that keeps IDs apart may depend on it. Monotonic time
 * never steps back within one process, and means nothing outside of it. Implementations are thread-safe.
 */
public interface Clock {

    /** Wall time in microseconds since 1970-01-01T00:00:00Z; negative before. */
    long micros();

    /** Monotonic time in nanoseconds from an arbitrary origin. It wraps around, so compare readings by difference only. */
    long nanos();

    /**
     * Wall time by monotonic time: what {@link #micros} would give, but off by the jump where the wall clock has just jumped. So it may
     * help to guess the tick in use, and nothing that keeps IDs apart may depend on it.
     *
     * @param nanos what {@link #nanos} has just given, so that whoever needs both reads one clock instead of two
     */
    default long recentMicros(long nanos) {
        return micros();
    }

    /** Blocks the caller for about {@code nanos} nanoseconds, or less when its thread is interrupted; the flag stays set. */
    void park(long nanos);

    /** The machine's clocks. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
