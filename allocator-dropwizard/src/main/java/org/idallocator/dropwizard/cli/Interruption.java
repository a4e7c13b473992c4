package org.idallocator.dropwizard.cli;

import com.google.common.util.concurrent.Uninterruptibles;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * What happens when somebody ends a command before it is done (Ctrl-C, SIGTERM): the command is told, what it holds is
 * released, and a summary says how far it came. That takes two seconds at most: a command may be stuck in writing, and
 * ZooKeeper may not answer. The process then ends with the status of the signal. Thread-safe.
 */
final class Interruption implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final PrintStream err;
    private final Supplier<String> tally;
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile Optional<LeasedGenerator<?>> held = Optional.empty();
    private volatile boolean ending;

    private Interruption(PrintStream err, Supplier<String> tally) {
        this.err = err;
        this.tally = tally;
    }

    /**
     * From now on, until this is closed, the end of the process is an interruption; {@code tally} says how far the
     * command came.
     */
    static Interruption prepare(PrintStream err, Supplier<String> tally) {
        Interruption interruption = new Interruption(err, tally);
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::interrupt, "interruption"));
        return interruption;
    }

    /** What the command holds from now on. */
    void releaseAtEnd(LeasedGenerator<?> generator) {
        held = Optional.of(generator);
    }

    /** Whether the process is ending: the command is to print nothing more. */
    boolean isEnding() {
        return ending;
    }

    /** What the process does before it ends. */
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
    }
}
