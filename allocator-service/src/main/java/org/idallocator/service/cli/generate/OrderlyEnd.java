package org.idallocator.service.cli.generate;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when somebody ends a command before it is done (Ctrl-C, SIGTERM): the command is told, what it holds is released,
 * and a last line says how far it came. The process then ends with the status of the signal. Thread-safe.
 *
 * <p>A release takes as long as it takes, while somebody answers who can take back what is held. When nobody has answered for a
 * second, the process ends without: it leaves what a killed process leaves, a lease that ends with its session.
 */
public final class OrderlyEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderlyEnd.class);

    /** The command may be stuck, as in writing to somebody who reads no more, but does not end either. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** An answer may be late, and a connection may be made anew; whoever ends a command does not wait for longer. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(1);

    private static final Duration POLL = Duration.ofMillis(20);
    private static final Holding NOTHING = new Holding() {
        @Override
        public void release() {}

        @Override
        public boolean answered() {
            return true;
        }

        @Override
        public Optional<String> kept() {
            return Optional.empty();
        }
    };

    private final LastWords lastWords;
    private final Duration longestSilence;
    private final CountDownLatch commandEnded = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "orderly-end");
    private volatile Holding held = NOTHING;
    private volatile boolean told;

    /** What the user hears in the end. */
    public interface LastWords {
        /** {@code kept} says of what was not released what becomes of it. */
        void say(Optional<String> kept);
    }

    /** What a command holds until its end. Its methods are called by several threads. */
    interface Holding {
        /** Releases everything; returns when that is done. May be called again after it was. */
        void release();

        /** Whether somebody answers now who can take it back, or nobody has to any more. Returns soon in either case. */
        boolean answered();

        /** What becomes of what is not released yet, in one sentence; empty when nothing is held. */
        Optional<String> kept();
    }

    private OrderlyEnd(LastWords lastWords, Duration longestSilence) {
        this.lastWords = lastWords;
        this.longestSilence = longestSilence;
    }

    /** From now on, until this is closed, the end of the process is one in order. {@code lastWords} says how far the command came. */
    public static OrderlyEnd prepare(LastWords lastWords) {
        return prepare(lastWords, LONGEST_SILENCE);
    }

    /** The same; {@code longestSilence} is how long nobody may answer before the process ends without a release. */
    static OrderlyEnd prepare(LastWords lastWords, Duration longestSilence) {
        OrderlyEnd end = new OrderlyEnd(lastWords, longestSilence);
        Runtime.getRuntime().addShutdownHook(end.hook);
        return end;
    }

    /** What the command holds from now on. */
    void holding(Holding what) {
        held = what;
    }

    /** Whether the process is ending: the command is to print nothing more. */
    public boolean told() {
        return told;
    }

    /** What the process does before it ends. */
    void end() {
        told = true;
        Optional<String> kept = Optional.empty();
        try {
            kept = released(held) ? Optional.empty() : held.kept();
            if (!commandEnded.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("the command is stuck; the process ends all the same");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lastWords.say(kept);
        }
    }

    /** False when nobody has answered for too long. Then the release goes on, and ends with the process. */
    private boolean released(Holding what) throws InterruptedException {
        Clock clock = Clock.system();
        AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        Thread release = new Thread(() -> release(what, failure), "orderly-release");
        release.setDaemon(true);
        release.start();
        long answeredNanos = clock.nanos();
        release.join(POLL.toMillis());
        while (release.isAlive()) {
            if (what.answered()) {
                answeredNanos = clock.nanos();
            } else if (clock.nanos() - answeredNanos > longestSilence.toNanos()) {
                return false;
            }
            release.join(POLL.toMillis());
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw failed;
        }
        return true;
    }

    private static void release(Holding what, AtomicReference<@Nullable RuntimeException> failure) {
        try {
            what.release();
        } catch (RuntimeException e) {
            failure.set(e);
        }
    }

    /** The command prints nothing more, and may have to wait until another thread has released what it holds. */
    void commandEnded() {
        commandEnded.countDown();
    }

    /** The command has ended, by itself or because it was told. */
    @Override
    public void close() {
        commandEnded();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
    }
}
