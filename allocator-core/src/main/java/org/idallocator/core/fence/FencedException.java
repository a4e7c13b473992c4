package org.idallocator.core.fence;

import java.time.Duration;

/**
 * Thrown where nothing may be issued, with the reason and with the time after which asking again makes sense. The exception
 * carries no stack trace, because a fenced replica may answer thousands of calls a second with it.
 */
public final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FenceReason reason;
    private final Duration retryAfter;

    public FencedException(FenceReason reason, String detail, Duration retryAfter) {
        super(detail, null, false, false);
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    public FenceReason reason() {
        return reason;
    }

    /** After which time asking again makes sense: a hint, never negative. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
