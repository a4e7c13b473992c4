package org.idallocator.dropwizard.cli;

import java.io.IOException;
import java.util.List;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.dropwizard.admin.TokenFileException;
import org.idallocator.dropwizard.config.BadFileException;
import org.idallocator.dropwizard.embedded.EmbeddedStartException;
import org.idallocator.dropwizard.process.ExitStatus;
import org.idallocator.zk.operator.RefusedException;
import org.idallocator.zk.operator.UnreachableException;

/** With which status a failed command or service ends, and whether its failure is expected. */
public final class Failures {
    /**
     * The failures that an operator can mend. All other exceptions of the allocator are caught before they end a
     * command, or are a mistake of the program.
     */
    static final List<Class<? extends Exception>> EXPECTED = List.of(
            BadFileException.class,
            CommandException.class,
            EmbeddedStartException.class,
            FencedException.class,
            OverCapacityException.class,
            RefusedException.class,
            UnreachableException.class,
            TokenFileException.class,
            IOException.class); // such as a file that is not there

    private Failures() {}

    /**
     * Whether the person who runs the program can mend the failure. Then the message says everything, and no stack
     * trace is needed.
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
