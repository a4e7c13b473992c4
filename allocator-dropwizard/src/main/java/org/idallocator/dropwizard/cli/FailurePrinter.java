package org.idallocator.dropwizard.cli;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Optional;
import org.idallocator.dropwizard.config.BadFileException;

/**
 * Prints why a command failed: one line for each mistake that an operator can mend, a stack trace for a mistake of the
 * program.
 */
public final class FailurePrinter {
    private FailurePrinter() {}

    public static void print(PrintWriter err, Throwable failure) {
        if (failure instanceof CommandException own && own.isTold()) {
            return;
        }
        if (failure instanceof BadFileException bad) {
            bad.errors().forEach(error -> err.println(bad.file() + ": " + error));
        } else if (failure instanceof IOException) {
            printLine(err, withCauses(failure));
        } else if (Failures.isExpected(failure)) {
            printLine(err, String.valueOf(failure.getMessage()));
        } else {
            notListening(failure)
                    .ifPresentOrElse(why -> printLine(err, withCauses(why)), () -> failure.printStackTrace(err));
        }
    }

    private static void printLine(PrintWriter err, String message) {
        err.println(message.strip().replaceAll("\\s*\\R\\s*", " "));
    }

    /** The cause of a failure that says at which address the web server cannot listen; empty for any other failure. */
    private static Optional<IOException> notListening(Throwable failure) {
        List<Throwable> chain = Throwables.getCausalChain(failure);
        boolean ofAnAddress =
                chain.stream().anyMatch(e -> e instanceof BindException || e instanceof UnresolvedAddressException);
        return ofAnAddress
                ? chain.stream()
                        .filter(IOException.class::isInstance)
                        .map(IOException.class::cast)
                        .findFirst()
                : Optional.empty();
    }

    /**
     * The messages of an exception and its causes in one line. Jetty names the port, and its cause says why nobody can
     * listen there.
     */
    private static String withCauses(Throwable error) {
        return Throwables.getCausalChain(error).stream()
                .map(each -> String.valueOf(each.getMessage()))
                .reduce((said, cause) -> said.contains(cause) ? said : said + ": " + cause)
                .orElseThrow();
    }
}
