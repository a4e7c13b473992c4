package org.idallocator.zk.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Runs short commands of the operating system. */
final class Commands {
    private Commands() {}

    /** Runs a command to its end; throws when it fails. */
    static void run(String... command) {
        int status = tryRun(command);
        if (status != 0) {
            throw new IllegalStateException(List.of(command) + " ended with status " + status);
        }
    }

    /** Runs a command to its end and returns its status. */
    static int tryRun(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(List.of(command) + " was interrupted", e);
        }
    }
}
