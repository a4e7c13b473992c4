package org.idallocator.service.reading;

import org.jspecify.annotations.Nullable;

/** One of several texts is no ID. The message says why. */
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableException(String message) {
        this(message, null);
    }

    public UnreadableException(String message, @Nullable Exception cause) {
        super(message, cause, false, false);
    }
}
