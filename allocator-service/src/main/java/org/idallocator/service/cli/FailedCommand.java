package org.idallocator.service.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.ReportedException;
import org.idallocator.service.cli.terminal.Usage;
import org.idallocator.service.cli.terminal.UsageException;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.Mistakes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prints why a command failed: a line for each mistake that an operator can mend, a stack trace for the program's own. */
public final class FailedCommand {
    private static final Logger LOG = LoggerFactory.getLogger(FailedCommand.class);

    /** Under this name Dropwizard keeps which command was called. */
    private static final String COMMAND = "command";

    private FailedCommand() {}

    /** Prints to standard error; prints nothing for a {@link ReportedException}. */
    public static void print(Cli cli, Namespace namespace, Throwable thrown) {
        Throwable error = unwrapped(thrown);
        LOG.debug("the command failed", thrown);
        PrintWriter out = cli.getStdErr();
        if (error instanceof ReportedException) {
            return;
        }
        if (error instanceof UsageException) {
            Usage.print(out, String.valueOf(error.getMessage()), Optional.ofNullable(namespace.getString(COMMAND)));
        } else if (error instanceof ConfigurationException wrong) {
            print(out, namespace, wrong.getErrors());
        } else if (error instanceof IllegalArgumentException wrong) {
            print(out, namespace, Mistakes.of(wrong));
        } else if (expected(error)) {
            out.println(oneLine(String.valueOf(error.getMessage())));
        } else {
            error.printStackTrace(out);
        }
    }

    private static void print(PrintWriter out, Namespace namespace, Collection<String> mistakes) {
        mistakes.forEach(each -> out.println(FileArgument.shown(namespace) + ": " + oneLine(each)));
    }

    /** What kept Jetty from listening, without the exception that Jetty wraps around it. */
    private static Throwable unwrapped(Throwable thrown) {
        return thrown.getClass() == RuntimeException.class && thrown.getCause() instanceof IOException io ? io : thrown;
    }

    private static boolean expected(Throwable error) {
        return Stream.of(
                        CommandException.class,
                        EmbeddedStartException.class,
                        FencedException.class,
                        RefusedException.class,
                        UnreachableException.class,
                        IOException.class)
                .anyMatch(type -> type.isInstance(error));
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
