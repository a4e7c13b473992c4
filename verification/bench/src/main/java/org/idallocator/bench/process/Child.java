package org.idallocator.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process of a benchmark, with its output in a file. It ends with this JVM at the latest. */
public final class Child implements AutoCloseable {
    private static final int ORDERLY_SECONDS = 30;

    private final Process process;
    private final Path output;

    private Child(Process process, Path output) {
        this.process = process;
        this.output = output;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    }

    /** Starts a command; what it prints goes to {@code output}. */
    public static Child start(Path output, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return new Child(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Runs a command to its end, and returns what it printed; throws {@link IllegalStateException} where the command
     * fails.
     */
    public static String run(Scratch scratch, List<String> command) {
        return run(scratch, Map.of(), command);
    }

    /** The same, with variables that are added to the environment. */
    static String run(Scratch scratch, Map<String, String> environment, List<String> command) {
        try (Child child = start(scratch.path("output"), environment, command)) {
            int status = child.process.waitFor();
            if (status != 0) {
                throw new IllegalStateException(command + " ended with status " + status + ":\n" + child.printed());
            }
            return child.printed();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + command + " ran", e);
        }
    }

    /** What a pattern's group is in a text. Throws {@link IllegalStateException} with both where there is none. */
    static String found(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new IllegalStateException("there is no " + pattern + " in " + text);
        }
        return matcher.group(1);
    }

    public long pid() {
        return process.pid();
    }

    /** Throws {@link IllegalStateException} with the output where the process has ended. */
    public void requireAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("process " + pid() + " has ended:\n" + printed());
        }
    }

    /** What the process has printed so far. */
    public String printed() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends the process in order (SIGTERM), or by force when that takes longer than 30 s. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(ORDERLY_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
