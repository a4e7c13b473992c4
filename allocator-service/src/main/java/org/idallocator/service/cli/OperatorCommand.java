package org.idallocator.service.cli;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import net.sourceforge.argparse4j.inf.Namespace;
import org.idallocator.service.cli.terminal.CommandOptions;
import org.idallocator.service.cli.terminal.Output;
import org.idallocator.service.cli.terminal.QuietLogging;
import org.idallocator.service.cli.terminal.StandardStreams;
import org.idallocator.service.cli.terminal.Steps;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.idallocator.service.failures.AfterFailure;

/** A command that reads a configuration file and does one thing. Standard output takes its result, and nothing else. */
abstract class OperatorCommand extends Command {
    /** What a command waits for before it knows which ZooKeeper that is. */
    static final String EMBEDDED = "an embedded ZooKeeper to start, or to answer";

    private final SectionReader<?> reader;
    private final StandardStreams streams;

    OperatorCommand(String name, String description, SectionReader<?> reader, StandardStreams streams) {
        super(name, description);
        this.reader = reader;
        this.streams = streams;
    }

    final SectionReader<?> reader() {
        return reader;
    }

    final StandardStreams streams() {
        return streams;
    }

    @Override
    public final void run(Bootstrap<?> bootstrap, Namespace namespace) throws Exception {
        QuietLogging.start();
        PrintStream standard = System.out;
        System.setOut(nowhere()); // the embedded ZooKeeper prints what it tidies up
        try (Steps steps = Steps.of(streams)) {
            AllocatorSection section = reader.read(bootstrap, namespace);
            Output out = new Output(streams.out());
            Output.untilEnough(() -> print(section, new CommandOptions(namespace), out, steps));
        } finally {
            System.setOut(standard);
        }
    }

    /** Whatever happens, standard output gets what the command has printed. */
    private void print(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException {
        try {
            run(section, options, out, steps);
        } catch (IOException | RuntimeException e) {
            AfterFailure.close(e, out::flush);
            throw e;
        }
        out.flush();
    }

    /**
     * Prints at once which ZooKeeper is asked. Whoever has stopped reading may still want what the command does; a full disk
     * ends the command before it does anything.
     */
    static void printFirst(Ensemble ensemble, Output out) throws IOException {
        Output.untilEnough(() -> {
            out.write(ensemble.description() + "\n");
            out.flush();
        });
    }

    private static PrintStream nowhere() {
        return new PrintStream(OutputStream.nullOutputStream());
    }

    /**
     * Runs the command, which prints to {@code out}, and tells {@code steps} what it waits for. What others print to standard
     * output meanwhile is dropped.
     */
    abstract void run(AllocatorSection section, CommandOptions options, Output out, Steps steps) throws IOException;

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailedCommand.print(cli, namespace, error);
    }
}
