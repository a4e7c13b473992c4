package org.idallocator.service;

import io.dropwizard.core.cli.Cli;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.util.JarLocation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.idallocator.dropwizard.cli.Failures;
import org.idallocator.dropwizard.cli.Streams;
import org.idallocator.dropwizard.process.ExitStatus;
import org.idallocator.service.testing.BusyMachine;

/** Runs commands as {@code main} does, without ending the process. */
public final class CommandLine {
    private CommandLine() {}

    /**
     * How a command ended, and what it printed.
     *
     * @param status with which the process would have ended
     * @param output what it said on standard output
     * @param error what it said on standard error
     */
    public record Outcome(int status, String output, String error) {
        /** Where something was refused or has failed. */
        public Outcome(boolean failed, String output, String error) {
            this(failed ? 1 : 0, output, error);
        }

        /** Where a call had a value that the command does not take, for this reason. */
        public static Outcome misuse(String why) {
            return new Outcome(2, "", why + "\n");
        }

        public boolean failed() {
            return status != 0;
        }
    }

    public static Outcome run(String... arguments) {
        return run(new byte[0], arguments);
    }

    /** Runs a command with {@code input} on standard input. */
    public static Outcome run(byte[] input, String... arguments) {
        return run(input, new ByteArrayOutputStream(), arguments);
    }

    /** Runs a command whose standard output is on a disk that is full. */
    public static Outcome runOnFullDisk(String... arguments) {
        return run(new byte[0], new FullDisk(), arguments);
    }

    /** Runs a command; {@code seen} is told each line of what it says on standard error. */
    public static Outcome runTelling(Consumer<String> seen, String... arguments) {
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        PrintStream told = new PrintStream(error, true, StandardCharsets.UTF_8) {
            @Override
            public void println(String line) {
                super.println(line);
                seen.accept(line);
            }
        };
        OutputStream output = new ByteArrayOutputStream();
        return run(new Streams(InputStream.nullInputStream(), output, told), error, arguments);
    }

    private static Outcome run(byte[] input, OutputStream output, String... arguments) {
        ByteArrayOutputStream error = new ByteArrayOutputStream();
        PrintStream told = new PrintStream(error, true, StandardCharsets.UTF_8);
        Outcome outcome = run(new Streams(new ByteArrayInputStream(input), output, told), error, arguments);
        return new Outcome(outcome.status(), outcome.output(), BusyMachine.forgiven(outcome.error()));
    }

    private static Outcome run(Streams streams, ByteArrayOutputStream error, String... arguments) {
        OutputStream output = streams.out();
        AllocatorApplication application = new AllocatorApplication(streams);
        Bootstrap<AllocatorConfiguration> bootstrap = new Bootstrap<>(application);
        application.addDefaultCommands(bootstrap);
        application.initialize(bootstrap);
        PrintStream standard = System.out;
        System.setOut(new PrintStream(new OfTheCommand(output, standard), true, StandardCharsets.UTF_8));
        try {
            int status = new Cli(new JarLocation(AllocatorApplication.class), bootstrap, output, error)
                    .run(arguments)
                    .map(Failures::status)
                    .orElse(ExitStatus.DONE)
                    .code();
            String printed =
                    output instanceof ByteArrayOutputStream bytes ? bytes.toString(StandardCharsets.UTF_8) : "";
            return new Outcome(status, printed, error.toString(StandardCharsets.UTF_8));
        } finally {
            System.setOut(standard);
        }
    }

    /** Takes nothing. */
    private static final class FullDisk extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("No space left on device");
        }
    }

    /**
     * Takes only what the command's threads print: what is left of an earlier test, such as a ZooKeeper, may log
     * meanwhile.
     */
    private static final class OfTheCommand extends OutputStream {
        private final Set<Thread> others =
                new HashSet<>(Thread.getAllStackTraces().keySet());
        private final OutputStream output;
        private final OutputStream standard;

        OfTheCommand(OutputStream output, OutputStream standard) {
            this.output = output;
            this.standard = standard;
            others.remove(Thread.currentThread());
        }

        private OutputStream current() {
            return others.contains(Thread.currentThread()) ? standard : output;
        }

        @Override
        public void write(int b) throws IOException {
            current().write(b);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            current().write(bytes, from, length);
        }
    }
}
