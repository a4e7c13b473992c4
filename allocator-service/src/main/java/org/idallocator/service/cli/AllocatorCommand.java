package org.idallocator.service.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.config.AllocatorSection;
import org.idallocator.service.embedded.Ensemble;
import org.slf4j.LoggerFactory;

/** A command that reads a configuration file and does one thing. Standard output takes its result, and nothing else. */
public abstract class AllocatorCommand extends Command {
    /** What a command waits for before it knows which ZooKeeper that is. */
    protected static final String EMBEDDED = "an embedded ZooKeeper to start, or to answer";

    private final SectionReader<?> reader;
    private final Streams streams;

    protected AllocatorCommand(String name, String description, SectionReader<?> reader, Streams streams) {
        super(name, description);
        this.reader = reader;
        this.streams = streams;
    }

    /** Adds the file. A command adds its own arguments first. */
    @Override
    public void configure(Subparser subparser) {
        ConfigFile.addTo(subparser, reader.defaultFile());
    }

    @Override
    public final void run(Bootstrap<?> bootstrap, Namespace options) throws Exception {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        PrintStream standard = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream())); // ZooKeeper prints what it tidies up
        try (Output out = new Output(streams.out());
                Waiting waiting = new Waiting(streams.err())) {
            run(reader.read(bootstrap, options), options, out, waiting);
        } finally {
            System.setOut(standard);
        }
    }

    /** Runs the command, which prints to {@code out}, and tells {@code waiting} what it waits for. */
    protected abstract void run(AllocatorSection section, Namespace options, Output out, Waiting waiting)
            throws IOException;

    /** Says which ZooKeeper is asked, before anything is done there: on a full disk the command ends here. */
    protected static void announce(Ensemble ensemble, Output out) {
        out.write(ensemble.description() + "\n");
        out.flush();
    }

    /** This machine's time. */
    protected static Instant now() {
        return Instant.EPOCH.plus(Clock.system().micros(), ChronoUnit.MICROS);
    }

    final PrintStream err() {
        return streams.err();
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        CommandException.print(cli, namespace, error);
    }
}
