package org.idallocator.service.cli;

import java.io.PrintStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says on standard error what a command waits for, where that takes more than a second. For one thread. */
public final class Waiting implements AutoCloseable {
    private static final int SECONDS = 1;

    private final PrintStream err;
    private Future<?> message = CompletableFuture.completedFuture(null);

    public Waiting(PrintStream err) {
        this.err = err;
    }

    /** From now on the command waits for this. */
    public void begin(String what) {
        close();
        message = CompletableFuture.runAsync(
                () -> err.println("waiting for " + what), CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS));
    }

    /** Does something that the command waits for. */
    public <T> T during(String what, Supplier<T> step) {
        begin(what);
        try {
            return step.get();
        } finally {
            close();
        }
    }

    /** The command waits no more. */
    @Override
    public void close() {
        message.cancel(false);
    }
}
