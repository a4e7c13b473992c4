package org.idallocator.dropwizard.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import net.sourceforge.argparse4j.inf.Namespace;
import net.sourceforge.argparse4j.inf.Subparser;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.config.AllocatorSection;
import org.idallocator.dropwizard.embedded.ZooKeeperInUse;
import org.slf4j.LoggerFactory;

/** A command that reads a configuration file and does one thing. Standard output takes its result, and nothing else. */
public abstract class AllocatorCommand extends Command {
    /** What a command says it waits for, before it knows which ZooKeeper it uses. */
    protected static final String EMBEDDED_ZOOKEEPER = "an embedded ZooKeeper to start, or to answer";

    private final Program<?> program;
    private final List<String> examples;

    /** A command; {@code examples} are calls that end its help. */
    protected AllocatorCommand(Program<?> program, String name, String description, String... examples) {
        super(name, description);
        this.program = program;
        this.examples = List.of(examples);
    }

    /** Adds the command's own arguments, which stand before the file. */
    protected void addArguments(Subparser subparser) {}

    @Override
    public final void configure(Subparser subparser) {
        addArguments(subparser);
        program.addFile(subparser);
        subparser.epilog("examples:\n  " + String.join("\n  ", examples));
    }

    @Override
    public final void run(Bootstrap<?> bootstrap, Namespace options) throws Exception {
        silenceLog();
        PrintStream standard = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream())); // ZooKeeper prints what it tidies up
        try (Output out = new Output(program.streams().out());
                Waiting waiting = new Waiting(err())) {
            run(program.read(bootstrap, options), options, out, waiting);
        } finally {
            System.setOut(standard);
        }
    }

    /**
     * Turns the log off until the process ends, which it does with the command. Threads of ZooKeeper's client go on for
     * a moment after the command, and what they log would come on standard output.
     */
    private static void silenceLog() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    }

    /** Runs the command, which prints to {@code out} and tells {@code waiting} what it waits for. */
    protected abstract void run(AllocatorSection section, Namespace options, Output out, Waiting waiting)
            throws InterruptedException;

    /**
     * Prints which ZooKeeper is asked, before anything is done there. If standard output takes nothing, the command
     * ends here.
     */
    protected static void announce(ZooKeeperInUse zookeeper, Output out) {
        out.write(zookeeper.description() + "\n");
        out.flush();
    }

    /** This machine's time. */
    protected static Instant now() {
        return Clock.system().instant();
    }

    final PrintStream err() {
        return program.streams().err();
    }

    @Override
    public void onError(Cli cli, Namespace namespace, Throwable error) {
        FailurePrinter.print(cli.getStdErr(), error);
    }
}
