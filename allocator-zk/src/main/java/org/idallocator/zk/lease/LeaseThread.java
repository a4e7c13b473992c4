package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that steps the {@link LeaseLoop}: at once when something happened, else when the loop asks for a step.
 * Nothing that a step throws ends the thread. After an {@link Error}, such as an OutOfMemoryError, nobody knows how far
 * the step came: all fences trip, and the next step begins with a new session, so that ZooKeeper drops what the old one
 * may hold.
 */
final class LeaseThread {
    /** How long a stop tries to release everything, where ZooKeeper does not answer. */
    static final Duration LONGEST_RELEASE = Duration.ofSeconds(5);

    private static final String UNFORESEEN = "a lease step failed unforeseen, and is tried again";
    private static final Logger LOG = LoggerFactory.getLogger(LeaseThread.class);
    private static final Duration LONGEST_GIVING_UP = Duration.ofSeconds(1);
    private static final long RETRY_NANOS = Duration.ofMillis(100).toNanos();
    private static final long RETRY_AFTER_ERROR_NANOS = Duration.ofSeconds(1).toNanos();

    /** What gives a ZooKeeper session up for another one. */
    interface SessionReset {
        /** Ends the session; the next one begins by itself. */
        void beginAnew() throws Exception;
    }

    private final Clock clock;
    private final LeaseLoop loop;
    private final SessionReset session;
    private final Runnable afterStep;
    private final Duration longestRelease;
    private final Semaphore wakeUps = new Semaphore(0);
    private final Thread thread = new Thread(this::run, "id-allocator-leases");
    private volatile boolean stopping;
    private volatile boolean late;
    private volatile long steppedNanos;
    private final RetryLog failures = new RetryLog();
    private @Nullable Throwable error;

    /**
     * A thread that does nothing before {@link #start}.
     *
     * @param session the one that the loop works on
     * @param afterStep called after each step, which may have changed what callers are told
     * @param longestRelease how long a stop tries to release everything
     */
    LeaseThread(LeaseLoop loop, SessionReset session, Runnable afterStep, Clock clock, Duration longestRelease) {
        this.clock = clock;
        this.longestRelease = longestRelease;
        this.session = session;
        this.afterStep = afterStep;
        this.loop = loop;
        this.steppedNanos = clock.nanos();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void wake() {
        wakeUps.release();
    }

    /**
     * How long ago a step began or ended; {@link ChronoUnit#FOREVER} when the thread has died, zero when it was told to
     * stop.
     */
    Duration sinceLastStep() {
        if (stopping) {
            return Duration.ZERO;
        }
        return thread.getState() == Thread.State.TERMINATED
                ? ChronoUnit.FOREVER.getDuration()
                : Duration.ofNanos(clock.nanos() - steppedNanos);
    }

    private void run() {
        try {
            while (!stopping) {
                stepAndPause();
            }
            while (!late && !releaseEverything()) {
                pause(RETRY_NANOS);
            }
        } catch (InterruptedException e) {
            LOG.debug("no time is left to release anything", e);
        } finally {
            loop.giveUp();
        }
    }

    /** Catches everything: an error may come from anywhere, also from logging another one when no memory is left. */
    private void stepAndPause() {
        try {
            steppedNanos = clock.nanos();
            long pauseNanos = step();
            steppedNanos = clock.nanos();
            afterStep.run();
            pause(pauseNanos);
        } catch (InterruptedException e) {
            LOG.debug("interrupted; goes on, or stops if told to", e);
        } catch (Throwable e) {
            error = e;
            try {
                loop.fenceAll();
            } catch (Throwable again) {
                // The next step trips all fences again, and logs. Nothing may fail here: there may be no memory left.
            }
            LockSupport.parkNanos(RETRY_AFTER_ERROR_NANOS);
        }
    }

    /**
     * A step that fails in a way nobody foresaw does not end the thread: the fences bound what may be issued. After an
     * error, begins anew: trips all fences, logs the error, and gives the session up.
     */
    private long step() {
        try {
            Throwable before = error;
            if (before != null) {
                loop.fenceAll();
                LOG.error("a lease step failed and nobody knows how far it came; goes on with a new session", before);
                session.beginAnew();
                error = null;
            }
            long pauseNanos = loop.step();
            failures.forget(UNFORESEEN);
            return pauseNanos;
        } catch (Exception e) {
            failures.tellFailure(UNFORESEEN, e);
            return error == null ? RETRY_NANOS : RETRY_AFTER_ERROR_NANOS;
        }
    }

    private boolean releaseEverything() {
        try {
            loop.close();
            return loop.isClosed();
        } catch (StoreException | ChangedMeanwhileException e) {
            failures.tellFailure(LeaseLoop.RELEASING, e);
            return false;
        }
    }

    private void pause(long nanos) throws InterruptedException {
        if (wakeUps.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
            wakeUps.drainPermits();
        }
    }

    /** Whether it has ended, or was never started: nothing is claimed or issued by it any more. */
    boolean isAtRest() {
        return !thread.isAlive();
    }

    private void giveUp() {
        late = true;
        thread.interrupt();
    }

    /**
     * Releases everything and ends the thread. When the longest release is over, whatever waits for ZooKeeper is
     * interrupted, and what is not released is given up. So this waits for a second more at most.
     */
    void close() {
        stopping = true;
        wake();
        try {
            thread.join(longestRelease.toMillis());
            giveUp();
            thread.join(LONGEST_GIVING_UP.toMillis());
        } catch (InterruptedException e) {
            giveUp(); // whoever stops this has no time to wait
            Thread.currentThread().interrupt();
        }
    }
}
