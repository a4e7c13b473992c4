package org.idallocator.core.generator;

import java.time.Duration;
import java.time.Instant;

/**
 * Thrown when an ID is to sort after one whose time this clock reaches only later than callers wait. As a rule nothing
 * was drawn. Clocks of replicas differ, so this passes by itself: asking again after {@link #retryAfter} succeeds, or
 * asking a replica whose clock is ahead of this one.
 */
public final class AheadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Instant due;
    private final Duration retryAfter;

    AheadException(Instant due, Duration retryAfter, Duration maxWait) {
        super("the ID that was seen is ahead of the clock, which passes it in " + retryAfter.toMillis() + " ms, at "
                + due + "; callers wait up to " + maxWait.toMillis() + " ms");
        this.due = due;
        this.retryAfter = retryAfter;
    }

    /** When the clock has passed the tick of the ID that was seen. From then on every ID sorts after that one. */
    public Instant due() {
        return due;
    }

    /** How long until {@link #due} by this clock, more than zero: when to ask again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
