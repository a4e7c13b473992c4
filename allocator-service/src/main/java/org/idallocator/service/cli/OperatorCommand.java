package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.OutputStream;
import java.io.PrintStream;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.QuietLogging;
import org.idallocator.service.config.AllocatorSection;

/** A command that reads a configuration file and does one thing. Standard output takes its result, and nothing else. */
abstract class OperatorCommand extends Command {
    private final SectionReader<?> reader;

    OperatorCommand(String name, String description, SectionReader<?> reader) {
        super(name, description);
        this.reader = reader;
    }

    final SectionReader<?> reader() {
        return reader;
    }

    @Override
    public final void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        QuietLogging.start();
        PrintStream out = System.out;
        System.setOut(nowhere()); // the embedded ZooKeeper prints what it tidies up
        try {
            run(reader.read(bootstrap, namespace), new CommandOptions(namespace), out);
        } finally {
            System.setOut(out);
        }
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream());
    }

    /** Runs the command, which prints to {@code out}. What others print to standard output meanwhile is dropped. */
    abstract void run(AllocatorSection section, CommandOptions options, PrintStream out) throws Exception;

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
