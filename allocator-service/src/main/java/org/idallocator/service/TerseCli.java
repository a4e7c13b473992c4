package org.idallocator.service;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.cli.Command;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.util.JarLocation;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;
import net.sourceforge.argparse4j.inf.ArgumentParserException;
import org.idallocator.service.cli.terminal.CommandException;
import org.idallocator.service.cli.terminal.Usage;
import org.idallocator.zk.settings.Software;

/**
 * Dropwizard's command line. Where a call is not understood, Dropwizard prints the whole help to standard error, and prints
 * nothing else there by itself; here that goes nowhere, and two lines say what is wrong and which help to ask.
 */
final class TerseCli extends Cli {
    private final Bootstrap<?> bootstrap;
    private final PrintWriter err;

    TerseCli(Bootstrap<?> bootstrap, OutputStream out, OutputStream err) {
        super(new Versioned(), bootstrap, out, OutputStream.nullOutputStream());
        this.bootstrap = bootstrap;
        this.err = new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true);
    }

    /** Tells the version that was built, whatever the jar's manifest says. */
    private static final class Versioned extends JarLocation {
        Versioned() {
            super(TerseCli.class);
        }

        @Override
        public Optional<String> getVersion() {
            return Optional.of("id-allocator " + Software.VERSION);
        }
    }

    /** Where commands say why they failed. */
    @Override
    public PrintWriter getStdErr() {
        return err;
    }

    @Override
    public Optional<Throwable> run(String... arguments) {
        Optional<Throwable> failure = super.run(arguments);
        if (failure.isEmpty() && getStdOut().checkError()) { // only help and the version are printed there
            CommandException lost = new CommandException("standard output takes no more");
            err.println(lost.getMessage());
            return Optional.of(lost);
        }
        failure.filter(ArgumentParserException.class::isInstance)
                .ifPresent(why -> Usage.print(err, String.valueOf(why.getMessage()), command(arguments)));
        return failure;
    }

    private Optional<String> command(String... arguments) {
        return Stream.of(arguments)
                .findFirst()
                .filter(first ->
                        bootstrap.getCommands().stream().map(Command::getName).anyMatch(first::equals));
    }
}
