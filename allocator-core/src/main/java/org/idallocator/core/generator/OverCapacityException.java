package org.idallocator.core.generator;

import java.time.Duration;

/** More IDs were asked for than the generator's ticks hold, and the caller's patience ended. */
public final class OverCapacityException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration retryAfter;

    public OverCapacityException(String detail, Duration retryAfter) {
        super(detail, null, false, false);
        this.retryAfter = retryAfter;
    }

    /** When the next tick begins. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
