package org.idallocator.dropwizard.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.dropwizard.config.BadFileException;
import org.idallocator.dropwizard.embedded.EmbeddedStartException;
import org.idallocator.dropwizard.process.ExitStatus;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;

/** How a command, or the service, ends that fails. */
public final class Failures {
    /**
     * Of our own exceptions, those that are not here are caught before they end a command, or are a mistake of the
     * program.
     */
    static final List<Class<? extends Exception>> EXPECTED = List.of(
            BadFileException.class,
            CommandException.class,
            EmbeddedStartException.class,
            FencedException.class,
            OverCapacityException.class,
            RefusedException.class,
            UnreachableException.class,
            IOException.class, // such as a file that is not there
            UncheckedIOException.class);

    private Failures() {}

    /**
     * Whether whoever runs the program can mend this: then the message says all. Nobody has to see where it was thrown.
     */
    static boolean isExpected(Throwable failure) {
        return EXPECTED.stream().anyMatch(type -> type.isInstance(failure));
    }

    /** With which status the process ends. */
    public static ExitStatus status(Throwable failure) {
        if (failure instanceof CommandException own) {
            return own.status();
        }
        return failure instanceof ArgumentParserException ? ExitStatus.MISUSED : ExitStatus.FAILED;
    }
}
