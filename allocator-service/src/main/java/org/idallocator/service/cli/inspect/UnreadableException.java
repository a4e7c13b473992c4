package org.idallocator.service.cli.inspect;

/** One of many texts is no ID; the message says why. */
public final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableException(String message) {
        super(message, null, false, false);
    }
}
