package org.idallocator.core.generator;

import java.time.Duration;
import java.time.Instant;

/**
 * Thrown when an ID is to sort after one whose time is further ahead of this clock than that of any ID that replicas of
 * this root can draw. It is another root's, or made up, or this clock is behind by more than is allowed. Nothing was
 * drawn, and asking again does not help.
 */
public final class TooFarAheadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Instant seen;
    private final Instant now;

    TooFarAheadException(Instant seen, Instant now, Duration farthest) {
        super("the ID that was seen is of " + seen + ", and the clock reads " + now
                + ": no ID of this root is more than " + farthest.toMillis() + " ms ahead of a clock that is right");
        this.seen = seen;
        this.now = now;
    }

    /** The time of the ID that was seen. */
    public Instant seen() {
        return seen;
    }

    /** What the clock read. */
    public Instant now() {
        return now;
    }
}
