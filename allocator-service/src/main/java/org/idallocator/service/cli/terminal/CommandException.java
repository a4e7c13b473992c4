package org.idallocator.service.cli.terminal;

/** A command could not do what it was asked; the message says why and can stand alone. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CommandException(String message) {
        super(message);
    }

    public CommandException(String message, Throwable cause) {
        super(message, cause);
    }
}
