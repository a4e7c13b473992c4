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
     * Monotonic time that may be late: a reading of {@link #nanos} that this or another thread took not long ago, never one of
     * later. The implementation says how late; of the machine's clocks it is not late at all. For what is asked millions of
     * times a second.
     */
    default long recentNanos() {
        return nanos();
    }

    /**
     * Wall time that may be late: what {@link #micros} gave, or would have given, not long ago. Where the wall clock has just
     * jumped, it is off by the jump. So it may help to guess the tick in use, and nothing that keeps IDs apart may depend on it.
     *
     * @param recentNanos what {@link #recentNanos} has just given, so that whoever needs both reads one clock instead of two
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
