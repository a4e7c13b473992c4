package org.idallocator.service.cli.terminal;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;

/**
 * Tells on standard error what a command waits for, where that takes more than a second and somebody looks: after the first
 * second, and then every four. Thread-safe. Closing this ends its thread.
 */
public final class Steps implements AutoCloseable {
    private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long PERIOD_NANOS = Duration.ofSeconds(4).toNanos();
    private static final long LOOK_MILLIS = 200;

    private final PrintStream err;
    private final Clock clock;
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, Steps::thread);
    private Optional<String> awaited = Optional.empty();
    private long begunNanos;
    private long dueNanos;

    /** For a test, which looks itself. */
    Steps(PrintStream err, Clock clock) {
        this.err = err;
        this.clock = clock;
    }

    /** The steps of one command. */
    public static Steps of(StandardStreams streams) {
        Steps steps = new Steps(streams.err(), Clock.system());
        if (streams.watched()) {
            var unused =
                    steps.timer.scheduleWithFixedDelay(steps::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
        return steps;
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "steps");
        thread.setDaemon(true);
        return thread;
    }

    /** Does something for which the command waits. {@code what} is to go behind "waiting for". */
    public <T> T awaiting(String what, Supplier<T> step) {
        begin(what);
        try {
            return step.get();
        } finally {
            end();
        }
    }

    /** From now on the command waits for this. */
    public synchronized void begin(String what) {
        awaited = Optional.of(what);
        begunNanos = clock.nanos();
        dueNanos = begunNanos + FIRST_NANOS;
    }

    /** The command has come so far with what it waits for. */
    public synchronized void goOn(String what) {
        awaited = Optional.of(what);
    }

    /** The command waits no more. */
    public synchronized void end() {
        awaited = Optional.empty();
    }

    /** Tells, where it is time for that. */
    synchronized void look() {
        long now = clock.nanos();
        if (awaited.isPresent() && now - dueNanos >= 0) {
            dueNanos = now + PERIOD_NANOS;
            err.println("waiting for " + awaited.get() + ", " + (now - begunNanos) / FIRST_NANOS + " s so far");
        }
    }

    @Override
    public void close() {
        end();
        timer.shutdownNow();
    }
}
