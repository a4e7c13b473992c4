package org.idallocator.dropwizard.cli;

import java.util.function.Supplier;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.dropwizard.process.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * A command could not do what it was asked. The message says why; an empty message means that everything was said
 * already.
 */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitStatus status;

    public CommandException(String message) {
        this(message, null, ExitStatus.FAILED);
    }

    public CommandException(String message, Throwable cause) {
        this(message, cause, ExitStatus.FAILED);
    }

    private CommandException(String message, @Nullable Throwable cause, ExitStatus status) {
        super(message, cause);
        this.status = status;
    }

    /** The command was called with a value that it does not take. */
    public static CommandException misuse(String message) {
        return new CommandException(message, null, ExitStatus.MISUSED);
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
            throw new CommandException(String.valueOf(e.getMessage()), e, ExitStatus.MISUSED);
        }
    }

    /** The status with which the process ends. */
    ExitStatus status() {
        return status;
    }
}
