package org.idallocator.service.embedded;

/** A directory that this process uses is not this process's own any more; the message says why. */
final class DirectoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    DirectoryLostException(String message) {
        super(message);
    }

    DirectoryLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
