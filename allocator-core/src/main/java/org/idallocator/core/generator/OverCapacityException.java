package org.idallocator.core.generator;

import java.time.Duration;

/**
 * Thrown when more IDs were asked for than the ticks hold, and the rest would take longer than callers wait. It is also thrown when
 * the clock was put back by more than that, behind the last ID, and the generator cannot toggle.
 */
public final class OverCapacityException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public OverCapacityException(String detail, Duration retryAfter) {
        super(detail);
        this.retryAfter = retryAfter;
    }

    /** How long until the next IDs are due: a hint when to ask again. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
