package org.idallocator.core.fence;

import java.time.Duration;

/**
 * Nothing was issued, because nothing may be: the reason, in words, and when asking again makes sense. No ID was used up.
 * It carries no stack trace: a fenced replica may answer thousands of these a second.
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

    /** A hint, never negative. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
