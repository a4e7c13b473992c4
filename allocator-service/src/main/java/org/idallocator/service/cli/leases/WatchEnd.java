package org.idallocator.service.cli.leases;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a watch ends: somebody ends the process (Ctrl-C, SIGTERM), the watch is told, closes what it has opened, and the process ends
 * with status 0, as nothing went wrong. Where the watch does not hear, because a question to ZooKeeper has no answer yet, the process
 * ends all the same. Thread-safe.
 */
public final class WatchEnd implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchEnd.class);
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final CountDownLatch told = new CountDownLatch(1);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Runnable halt;
    private final Thread hook = new Thread(this::end, "watch-end");

    WatchEnd(Runnable halt) {
        this.halt = halt;
    }

    /** From now on, until this is closed, the end of the process is the watch's. */
    public static WatchEnd prepare() {
        WatchEnd end = new WatchEnd(
                () -> Runtime.getRuntime().halt(0)); // the signal's own status would say that something failed
        Runtime.getRuntime().addShutdownHook(end.hook);
        return end;
    }

    /** Waits; returns early, and true, when the watch is to end. */
    boolean toldWithin(Duration time) {
        try {
            return told.await(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    /** What the process does before it ends. */
    void end() {
        told.countDown();
        try {
            if (!ended.await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("a question to ZooKeeper has no answer yet; the process ends all the same");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            halt.run();
        }
    }

    /** The watch has ended, by itself or because it was told, and everything is closed. */
    @Override
    public void close() {
        ended.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("the process is ending already", e);
        }
    }
}
