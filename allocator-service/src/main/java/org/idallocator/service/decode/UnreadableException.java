package org.idallocator.service.decode;

/** One of several texts is no ID. The message says why. */
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableException(String message) {
        super(message, null, false, false);
    }
}
