package org.idallocator.service.embedded;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.idallocator.service.failures.RepeatedFailures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Looks four times a second whether a directory is still this process's own. When it is not, a second process may reserve what
 * this one has reserved, or reservations may be lost: then this logs why, and ends the process.
 */
final class DirectoryWatch implements AutoCloseable {
    /** The status with which a process ends that cannot go on safely. */
    static final int STATUS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final DataDirectory directory;
    private final Look look;
    private final IntConsumer halt;
    private final RepeatedFailures failures = new RepeatedFailures(LOG);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::watch, "embedded-zookeeper-directory");

    private DirectoryWatch(DataDirectory directory, Look look, IntConsumer halt) {
        this.directory = directory;
        this.look = look;
        this.halt = halt;
        thread.setDaemon(true);
    }

    /** Begins to look; {@code halt} is called with the status and ends the process. */
    static DirectoryWatch start(DataDirectory directory, Look look, IntConsumer halt) {
        DirectoryWatch watch = new DirectoryWatch(directory, look, halt);
        watch.thread.start();
        return watch;
    }

    /** Looks at the directory once, and does what has to be done then. */
    interface Look {
        /**
         * Looks once.
         *
         * @throws DirectoryLostException when the directory is not this process's own any more
         * @throws RuntimeException when it cannot be looked at now, or what has to be done cannot be done now
         */
        void at() throws DirectoryLostException;
    }

    private void watch() {
        try {
            while (!closing.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (DirectoryLostException e) {
            LOG.debug("the directory is lost", e);
            Aloud.say(LOG, Level.ERROR, e.getMessage() + "; the process ends, because it cannot go on safely");
            halt.accept(STATUS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Only a directory that is lost ends the watch. */
    private void look() throws DirectoryLostException {
        try {
            look.at();
            failures.succeeded();
        } catch (RuntimeException e) {
            failures.failed(directory + " cannot be looked at now", e);
        }
    }

    /** Ends the watch; returns when it has ended. */
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
