package org.idallocator.dropwizard.cli;

import java.util.function.Supplier;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.dropwizard.process.ExitStatus;
import org.jspecify.annotations.Nullable;

/** A command could not do what it was asked. The message says why. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;
    private final boolean told;

    public CommandException(String message) {
        this(message, null, ExitStatus.FAILED, false);
    }

    public CommandException(String message, Throwable cause) {
        this(message, cause, ExitStatus.FAILED, false);
    }

    private CommandException(String message, @Nullable Throwable cause, ExitStatus status, boolean told) {
        super(message, cause);
        this.status = status;
        this.told = told;
    }

    /** The command has said already what it could not do. */
    public static CommandException told() {
        return new CommandException("it was said already", null, ExitStatus.FAILED, true);
    }

    /** The command was called with a value that it does not take. */
    public static CommandException misuse(String message) {
        return new CommandException(message, null, ExitStatus.MISUSED, false);
    }

    /**
     * Runs the reader of a value that a person gave to a command. Throws its {@link BadValueException} or
     * {@link UnknownSchemeException} as a {@link CommandException} with {@link ExitStatus#MISUSED}. Every other
     * exception is a mistake of the program and is thrown on.
     */
    public static <T> T asMisuse(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (BadValueException | UnknownSchemeException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e, ExitStatus.MISUSED, false);
        }
    }

    /** Whether nothing is left to say. */
    boolean isTold() {
        return told;
    }

    /** The status with which the process ends. */
    ExitStatus status() {
        return status;
    }
}
