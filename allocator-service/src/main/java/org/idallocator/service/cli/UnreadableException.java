package org.idallocator.service.cli;

/** One of many texts is no ID; the message says why. */
final class UnreadableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreadableException(String message) {
        super(message, null, false, false);
    }
}
