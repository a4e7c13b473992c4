package org.idallocator.service.embedded;

import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.idallocator.service.failures.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks four times a second whether a directory is still this process's own. Where it is not, nothing keeps a second process
 * from reserving what this one has reserved, or what is reserved is not kept: it says so and ends the process.
 */
final class DirectoryWatch implements AutoCloseable {
    /** The status of a process that ended because it could not go on safely. */
    static final int STATUS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final DirectoryLock lock;
    private final IntConsumer halt;
    private final FailureLog failures = new FailureLog(LOG);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "embedded-zookeeper-directory");

    private DirectoryWatch(DirectoryLock lock, IntConsumer halt) {
        this.lock = lock;
        this.halt = halt;
        thread.setDaemon(true);
    }

    /** {@code halt} ends the process with the status that it is given. */
    static DirectoryWatch start(DirectoryLock lock, IntConsumer halt) {
        DirectoryWatch watch = new DirectoryWatch(lock, halt);
        watch.thread.start();
        return watch;
    }

    private void watch() {
        try {
            while (!closing.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (DirectoryLostException e) {
            tell(e.getMessage() + "; the process ends, because it cannot go on safely", e);
            halt.accept(STATUS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws DirectoryLostException {
        try {
            lock.verify();
            failures.succeeded();
        } catch (UncheckedIOException e) {
            failures.failed(lock.directory() + " cannot be looked at now", e);
        }
    }

    /** Commands log nothing. */
    private static void tell(String message, DirectoryLostException cause) {
        if (LOG.isErrorEnabled()) {
            LOG.error(message, cause);
        } else {
            System.err.println(message);
        }
    }

    /** Returns when it looks no more. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
