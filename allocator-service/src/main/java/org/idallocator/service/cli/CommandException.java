package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
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
        this(message, null);
    }

    public CommandException(String message, @Nullable Throwable cause) {
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
    public static void print(Cli cli, Namespace namespace, Throwable thrown) {
        PrintWriter err = cli.getStdErr();
        Throwable error = unwrapped(thrown);
        List<String> mistakes = ConfigurationErrors.of(error);
        if (!mistakes.isEmpty()) {
            String file = ConfigFile.of(namespace).orElse("the configuration");
            mistakes.forEach(each -> err.println(file + ": " + each));
        } else if (expected(error)) {
            Stream.of(oneLine(error instanceof IOException ? withCauses(error) : String.valueOf(error.getMessage())))
                    .filter(line -> !line.isEmpty())
                    .forEach(err::println);
        } else {
            error.printStackTrace(err);
        }
    }

    /** What kept Jetty from listening, without the exception that Jetty wraps around it. */
    private static Throwable unwrapped(Throwable thrown) {
        return thrown.getClass() == RuntimeException.class && thrown.getCause() instanceof IOException io ? io : thrown;
    }

    /** Jetty says which port cannot be listened on, and its cause why not. */
    private static String withCauses(Throwable error) {
        return Stream.iterate(error, Objects::nonNull, Throwable::getCause)
                .map(each -> String.valueOf(each.getMessage()))
                .reduce((said, cause) -> said.contains(cause) ? said : said + ": " + cause)
                .orElseThrow();
    }

    /** What the allocator throws itself is told in a sentence. */
    private static boolean expected(Throwable error) {
        return error instanceof IOException || error.getClass().getPackageName().startsWith("org.idallocator.");
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
