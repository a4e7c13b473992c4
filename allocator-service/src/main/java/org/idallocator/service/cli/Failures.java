package org.idallocator.service.cli;

import io.dropwizard.configuration.ConfigurationException;
import io.dropwizard.core.cli.Cli;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.ReportedException;
import org.idallocator.service.embedded.EmbeddedStartException;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says why a command ended: one line a mistake where the operator can mend it, a stack trace where it is ours. */
public final class Failures {
    private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

    private Failures() {}

    public static void print(Cli cli, Namespace namespace, Throwable thrown) {
        Throwable error = unwrapped(thrown);
        LOG.debug("the command failed", thrown);
        PrintWriter out = cli.getStdErr();
        if (error instanceof ReportedException) {
            return;
        }
        if (error instanceof ConfigurationException wrong) {
            wrong.getErrors().forEach(each -> out.println(namespace.getString("file") + ": " + oneLine(each)));
        } else if (error instanceof IllegalArgumentException) {
            out.println(namespace.getString("file") + ": " + oneLine(String.valueOf(error.getMessage())));
        } else if (expected(error)) {
            out.println(oneLine(String.valueOf(error.getMessage())));
        } else {
            error.printStackTrace(out);
        }
    }

    /** Jetty wraps what keeps it from listening. */
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
