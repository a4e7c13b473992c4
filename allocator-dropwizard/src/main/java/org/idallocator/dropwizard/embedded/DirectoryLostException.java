package org.idallocator.dropwizard.embedded;

/** A directory that this process uses is not the same any more, or not this process's own; the message says why. */
final class DirectoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    DirectoryLostException(String message) {
        super(message);
    }
}
