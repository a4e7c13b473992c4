package org.idallocator.zk.testing;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;

/**
 * A process of this test, with its output in a file. {@link Leftovers} has a note of the process while it lives. The
 * process ends with this JVM at the latest.
 */
public final class ChildProcess implements AutoCloseable {
    private static final int LINES_SHOWN = 40;

    private final Process process;
    private final Path output;
    private final Leftovers.Note note;
    private final Thread atExit;

    private ChildProcess(Process process, Path output) {
        this.process = process;
        this.output = output;
        this.note = Leftovers.process(process.toHandle());
        this.atExit = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Starts a command; what it prints is appended to {@code output}. */
    public static ChildProcess start(Path output, Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        builder.environment().putAll(environment);
        return assertDoesNotThrow(() -> new ChildProcess(builder.start(), output));
    }

    /**
     * Starts a Java program on the Java that runs this test, in a JVM that starts fast on few cores. It has no file in
     * the system's temporary directory, which a killed JVM would leave there.
     */
    public static ChildProcess java(Path output, Map<String, String> environment, List<String> arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return start(
                output,
                environment,
                Stream.concat(
                                Stream.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
                                arguments.stream())
                        .toList());
    }

    public long pid() {
        return process.pid();
    }

    public boolean alive() {
        return process.isAlive();
    }

    /** Sends SIGKILL, and waits until the process has ended. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd(HangGuard.TIME.toSeconds());
    }

    /** Sends SIGTERM, and does not wait. */
    public void terminate() {
        process.destroy();
    }

    /** Waits for the end of the process, and returns its status. */
    public int awaitEnd(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "process " + pid() + " did not end within " + seconds + " s\n" + tail());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for process " + pid(), e);
        }
        forget();
        return process.exitValue();
    }

    /** Sends SIGSTOP: the process stops between two instructions, and cannot know. */
    public void pause() {
        Commands.run("kill", "-STOP", Long.toString(pid()));
    }

    /** Sends SIGCONT. */
    public void resume() {
        Commands.run("kill", "-CONT", Long.toString(pid()));
    }

    /** The last lines that the process has printed. */
    public String tail() {
        try {
            List<String> lines = new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.stream().skip(Math.max(0, lines.size() - LINES_SHOWN)).collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    private void forget() {
        note.close();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // this JVM is ending
        }
    }

    @Override
    public void close() {
        if (alive()) {
            kill();
        } else {
            forget();
        }
    }
}
