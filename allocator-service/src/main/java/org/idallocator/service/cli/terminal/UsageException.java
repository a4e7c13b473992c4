package org.idallocator.service.cli.terminal;

/** A command was called in a way that it does not understand. The message says why; what helps is the command's {@code --help}. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }

    public UsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
