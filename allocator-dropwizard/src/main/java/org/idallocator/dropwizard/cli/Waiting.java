package org.idallocator.dropwizard.cli;

import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Prints to standard error what a command waits for, when the wait takes more than a second. Not thread-safe. */
public final class Waiting implements AutoCloseable {
    private final PrintStream err;
    private Future<?> message = CompletableFuture.completedFuture(null);

    public Waiting(PrintStream err) {
        this.err = err;
    }

    /** Begins a wait, which ends the one before. */
    public void begin(String what) {
        close();
        message = CompletableFuture.runAsync(
                () -> err.println("waiting for " + what), CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
    }

    /** Ends the wait. */
    @Override
    public void close() {
        message.cancel(false);
    }
}
