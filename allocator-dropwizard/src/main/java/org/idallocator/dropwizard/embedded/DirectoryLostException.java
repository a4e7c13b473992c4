package org.idallocator.dropwizard.embedded;

/**
 * The directory is not the one that this process began to use, or another process has locked it; the message says
 * which.
 */
final class DirectoryLostException extends Exception {
    private static final long serialVersionUID = 1L;

    DirectoryLostException(String message) {
        super(message);
    }
}
