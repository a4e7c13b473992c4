package org.idallocator.zk.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs short commands of the operating system. */
final class Commands {
    private Commands() {}

    /** Runs a command to its end; throws when it fails. */
    static void run(String... command) {
        var unused = output(List.of(command));
    }

    /**
     * Runs a command to its end and returns what it printed, on standard output and standard error; throws when it
     * fails.
     */
    static String output(List<String> command) {
        return output(new ProcessBuilder(command));
    }

    /** The same, with a directory and variables of the environment. */
    static String output(ProcessBuilder command) {
        Ended ended = end(command);
        if (ended.status() != 0) {
            throw new IllegalStateException(
                    command.command() + " ended with status " + ended.status() + ":\n" + ended.output());
        }
        return ended.output();
    }

    /** How a command ended, and what it printed, on standard output and standard error. */
    record Ended(int status, String output) {}

    /** Runs a command to its end. */
    static Ended end(List<String> command) {
        return end(new ProcessBuilder(command));
    }

    private static Ended end(ProcessBuilder command) {
        try {
            Process process = command.redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command.command() + " was interrupted", e);
        }
    }

    /** Runs a command to its end and returns its status. */
    static int tryRun(String... command) {
        return end(List.of(command)).status();
    }
}
