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
 * Says why a command failed: a line for each mistake that an operator can mend, a stack trace for the program's own.
 */
public final class FailurePrinter {
    private FailurePrinter() {}

    public static void print(PrintWriter err, Throwable failure) {
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

    /** An empty message says that all was said. */
    private static void printLine(PrintWriter err, String message) {
        if (!message.isEmpty()) {
            err.println(message.strip().replaceAll("\\s*\\R\\s*", " "));
        }
    }

    /**
     * What the web server says that cannot listen at an address, somewhere among the causes of a failure; empty for any
     * other.
     */
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

    /** Jetty says which port cannot be listened on, and its cause why not. */
    private static String withCauses(Throwable error) {
        return Throwables.getCausalChain(error).stream()
                .map(each -> String.valueOf(each.getMessage()))
                .reduce((said, cause) -> said.contains(cause) ? said : said + ": " + cause)
                .orElseThrow();
    }
}
