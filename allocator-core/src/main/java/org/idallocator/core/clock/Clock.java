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
     * Monotonic time, as {@link #nanos}, that may be late: by a few milliseconds, and by more where the machine is busy. For
     * what is asked millions of times a second and may be told late.
     */
    default long recentNanos() {
        return nanos();
    }

    /**
     * Wall time, as {@link #micros}, by monotonic time, so that who needs both reads one clock instead of two. It may be late, or
     * wrong where the clock has jumped, for a few milliseconds.
     *
     * @param recentNanos what {@link #recentNanos} has just given
     */
    default long recentMicros(long recentNanos) {
        return micros();
    }

    /** Blocks the caller for about {@code nanos} nanoseconds, or less when its thread is interrupted; the flag stays set. */
    void park(long nanos);

    /** The machine's clocks. */
    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
