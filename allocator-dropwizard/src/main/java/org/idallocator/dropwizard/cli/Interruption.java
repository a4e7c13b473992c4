package org.idallocator.dropwizard.cli;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a command that somebody stops before it is done (Ctrl-C, SIGTERM). The command is told to end, its slot is
 * released, and a summary says how far the command came. All this takes two seconds at most, because the command may
 * hang in a write, and ZooKeeper may not answer. The process then ends with the status of the signal.
 *
 * <p>Thread-safe.
 */
final class Interruption implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final PrintStream err;
    private final Supplier<String> tally;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook = new Thread(this::interrupt, "interruption");
    private volatile Optional<LeasedGenerator<?>> held = Optional.empty();
    private volatile boolean ending;

    private Interruption(PrintStream err, Supplier<String> tally) {
        this.err = err;
        this.tally = tally;
    }

    /** Prepares for the end of the process, until this is closed; {@code tally} says how far the command came. */
    static Interruption prepare(PrintStream err, Supplier<String> tally) {
        Interruption interruption = new Interruption(err, tally);
        Runtime.getRuntime().addShutdownHook(interruption.hook);
        return interruption;
    }

    /** Has a generator's slot released when the process ends. */
    void releaseAtEnd(LeasedGenerator<?> generator) {
        held = Optional.of(generator);
    }

    /** Whether the process is ending; the command must print nothing more then. */
    boolean isEnding() {
        return ending;
    }

    /** Runs when the process ends. */
    void interrupt() {
        if (ended.getCount() == 0) {
            return;
        }
        ending = true;
        Thread release = new Thread(() -> held.ifPresent(LeasedGenerator::close), "release");
        release.setDaemon(true);
        release.start();
        boolean unused = Uninterruptibles.awaitUninterruptibly(ended, PATIENCE);
        held.flatMap(LeasedGenerator::unreleasedSlot).ifPresent(err::println);
        err.println("told to end (" + tally.get() + ")");
    }

    /** The command has ended, and holds nothing any more. */
    @Override
    public void close() {
        ended.countDown();
        try {
            boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process ends, and the hook runs already", e);
        }
    }
}
