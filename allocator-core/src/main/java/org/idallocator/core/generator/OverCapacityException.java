package org.idallocator.core.generator;

import java.time.Duration;

/**
 * Thrown when more IDs were asked for than the ticks hold, and the rest would take longer than callers wait. Where that
 * is because the clock was put back, behind the last ID, {@link org.idallocator.core.fence.FencedException} is thrown,
 * with the reason {@link org.idallocator.core.fence.FenceReason#CLOCK_BEHIND}.
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
