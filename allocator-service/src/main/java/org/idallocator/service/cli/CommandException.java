package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.config.ConfigurationErrors;
import org.jspecify.annotations.Nullable;

/** A command could not do what it was asked. The message says why; an empty one, that all was said. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private final int status;

    public CommandException(String message) {
        this(message, null, FAILED);
    }

    public CommandException(String message, Throwable cause) {
        this(message, cause, FAILED);
    }

    private CommandException(String message, @Nullable Throwable cause, int status) {
        super(message, cause);
        this.status = status;
    }

    /** The command was called with a value that it does not take. */
    public static CommandException misuse(String message) {
        return new CommandException(message, null, MISUSED);
    }

    /** Reads a value of a call. An {@link IllegalArgumentException} is the mistake of the person who wrote the value. */
    public static <T> T read(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e, MISUSED);
        }
    }

    /** The exit status of a failure: 2 where the call was not understood, else 1. */
    public static int status(Throwable failure) {
        if (failure instanceof CommandException own) {
            return own.status;
        }
        return failure instanceof ArgumentParserException ? MISUSED : FAILED;
    }

    /** Prints why a command failed: a line for each mistake that an operator can mend, a stack trace for the program's own. */
    public static void print(Cli cli, Namespace options, Throwable thrown) {
        boolean wrapped = thrown.getClass() == RuntimeException.class; // by Jetty, which could not listen
        Throwable error = wrapped && thrown.getCause() instanceof IOException cause ? cause : thrown;
        PrintWriter err = cli.getStdErr();
        boolean expected = error instanceof IOException
                || error instanceof UncheckedIOException
                || error.getClass().getName().startsWith("org.idallocator.");
        List<String> mistakes = ConfigurationErrors.of(error);
        String message = error instanceof IOException ? withCauses(error) : String.valueOf(error.getMessage());
        if (!mistakes.isEmpty()) {
            String file = Program.file(options).orElse("the configuration");
            mistakes.forEach(each -> err.println(file + ": " + each));
        } else if (!expected) {
            error.printStackTrace(err);
        } else if (!message.isEmpty()) {
            err.println(message.strip().replaceAll("\\s*\\R\\s*", " "));
        }
    }

    /** Jetty says which port cannot be listened on, and its cause why not. */
    private static String withCauses(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .map(each -> String.valueOf(each.getMessage()))
                .reduce((said, cause) -> said.contains(cause) ? said : said + ": " + cause)
                .orElseThrow();
    }
}
