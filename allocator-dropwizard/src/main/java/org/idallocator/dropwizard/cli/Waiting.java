package org.idallocator.dropwizard.cli;

import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Says on standard error what a command waits for, where that takes more than a second. For one thread. */
public final class Waiting implements AutoCloseable {
    private final PrintStream err;
    private Future<?> message = CompletableFuture.completedFuture(null);

    public Waiting(PrintStream err) {
        this.err = err;
    }

    /** From now on the command waits for this, and no more for what was begun before. */
    public void begin(String what) {
        close();
        message = CompletableFuture.runAsync(
                () -> err.println("waiting for " + what), CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS));
    }

    /** The command waits no more. */
    @Override
    public void close() {
        message.cancel(false);
    }
}
