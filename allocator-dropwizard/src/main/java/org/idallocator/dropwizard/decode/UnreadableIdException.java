package org.idallocator.dropwizard.decode;

/** A text that a caller wrote is no ID in any of the forms in which it was read. The message says why. */
public final class UnreadableIdException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnreadableIdException(String message) {
        super(message);
    }

    UnreadableIdException(String message, Throwable cause) {
        super(message, cause);
    }
}
