package org.idallocator.service.cli.generate;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens when somebody ends a command before it is done (Ctrl-C, SIGTERM): the command is told, what it holds is released,
 * and a last line says how far it came. The process then ends with the status of the signal. Thread-safe.
 */
public final class OrderlyEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OrderlyEnd.class);

    /** The command may be stuck, as in writing to somebody who reads no more, but does not end either. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Runnable lastWords;
    private final CountDownLatch commandEnded = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "orderly-end");
    private volatile Runnable release = () -> {};
    private volatile boolean told;

    private OrderlyEnd(Runnable lastWords) {
        this.lastWords = lastWords;
    }

    /** From now on, until this is closed, the end of the process is one in order. {@code lastWords} says how far the command came. */
    public static OrderlyEnd prepare(Runnable lastWords) {
        OrderlyEnd end = new OrderlyEnd(lastWords);
        Runtime.getRuntime().addShutdownHook(end.hook);
        return end;
    }

    /** What the command holds from now on is released by {@code release}; may be called again after it was. */
    void holding(Runnable how) {
        release = how;
    }

    /** Whether the process is ending: the command is to print nothing more. */
    public boolean told() {
        return told;
    }

    /** What the process does before it ends. */
    void end() {
        told = true;
        try {
            release.run();
            if (!commandEnded.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("the command is stuck; the process ends all the same");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lastWords.run();
        }
    }

    /** The command has ended, by itself or because it was told. */
    @Override
    public void close() {
        commandEnded.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
    }
}
