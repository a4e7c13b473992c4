package org.idallocator.service.cli.inspect;

import org.jspecify.annotations.Nullable;

/** One of many texts is no ID; the message says why. */
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableException(String message) {
        this(message, null);
    }

    UnreadableException(String message, @Nullable Exception cause) {
        super(message, cause, false, false);
    }
}
