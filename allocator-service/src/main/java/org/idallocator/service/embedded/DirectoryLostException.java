package org.idallocator.service.embedded;

/** A directory that this process uses is not its own any more; the message says in what way. */
final class DirectoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    DirectoryLostException(String message) {
        super(message);
    }

    DirectoryLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
