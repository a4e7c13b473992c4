package org.idallocator.zk;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.idallocator.core.clock.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that steps the {@link LeaseLoop}, at once when something happened, else when the loop asks for it. */
final class LeaseThread {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseThread.class);
    private static final long LONGEST_STOP = Duration.ofSeconds(5).toNanos();
    private static final long RETRY = Duration.ofMillis(100).toNanos();

    private final Clock clock;
    private final LeaseLoop loop;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "id-allocator-leases");
    private volatile boolean stopping;

    /** {@code newLoop} makes the loop, given what is to be called when a watched node changes. */
    LeaseThread(Function<Runnable, LeaseLoop> newLoop, Clock clock) {
        this.clock = clock;
        this.loop = newLoop.apply(this::changed);
        thread.setDaemon(true);
    }

    LeaseLoop loop() {
        return loop;
    }

    void start() {
        thread.start();
    }

    void wake() {
        wakeUps.release();
    }

    private void changed() {
        loop.verifySoon();
        wake();
    }

    private void run() {
        try {
            while (!stopping) {
                pause(step());
            }
            stop();
        } catch (InterruptedException e) {
            LOG.warn("interrupted; leases end with their session");
        }
    }

    /** A step that fails in a way nobody foresaw must not end the thread: the fences bound what may be issued. */
    private long step() {
        try {
            return loop.step();
        } catch (RuntimeException e) {
            LOG.error("a lease step failed; it is tried again", e);
            return RETRY;
        }
    }

    private void stop() throws InterruptedException {
        long from = clock.nanos();
        do {
            try {
                loop.close();
            } catch (StoreException e) {
                LOG.warn("could not give everything back yet: {}", e.getMessage());
                pause(RETRY);
            }
        } while (!loop.closed() && clock.nanos() - from < LONGEST_STOP);
    }

    private void pause(long nanos) throws InterruptedException {
        if (wakeUps.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            wakeUps.drainPermits();
        }
    }

    /** Gives everything back and ends the thread, within a few seconds. */
    void close() {
        stopping = true;
        wake();
        try {
            thread.join(Duration.ofNanos(LONGEST_STOP).multipliedBy(2).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
