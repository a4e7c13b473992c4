package org.idallocator.service.cli;

/** A command could not do what it was asked; the message says why and can stand alone. */
final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandException(String message) {
        super(message);
    }
}
