package org.idallocator.core.generator;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;

/**
 * Counts callers that wait for the next tick, and tells a listener through an executor. Only callers that wait come here.
 * Thread-safe. The lock is held for a few instructions, and never while the listener or the executor runs.
 */
final class Overflows {
    private static final Logger LOG = System.getLogger(Overflows.class.getName());

    private final OverflowListener listener;
    private final Executor executor;
    private final TickUnit unit;
    private final Clock clock;
    private final Object figures = new Object();
    private int waiting; // guarded by figures
    private long tick = Long.MIN_VALUE; // guarded by figures
    private long ticks; // guarded by figures
    private boolean pending; // guarded by figures: a delivery is waiting or under way
    private boolean refused; // guarded by figures: the executor refused a delivery

    Overflows(OverflowListener listener, Executor executor, TickUnit unit, Clock clock) {
        this.listener = listener;
        this.executor = executor;
        this.unit = unit;
        this.clock = clock;
    }

    /** Whether a draw waits for the next tick. A longer wait is for a clock that stepped back. */
    boolean concerns(Taken none) {
        return !none.cooling() && none.waitNanos() <= unit.tickMicros() * 1_000;
    }

    /** Counts a wait of a caller; {@code first} says whether it is the first within its call. */
    void waits(boolean first) {
        if (count(first)) {
            submit();
        }
    }

    /** Counts a call that had to wait and is over. */
    void goesOn() {
        synchronized (figures) {
            waiting--;
        }
    }

    /**
     * True when the caller must tell the listener: for the first wait of a tick, unless a delivery is pending. A pending
     * delivery that has not begun takes the new figures. The clock is read under the lock, so that a reading before {@code
     * tick} means that the clock stepped back.
     */
    private boolean count(boolean first) {
        synchronized (figures) {
            long now = unit.tickAt(clock.micros());
            boolean lasts = waiting > 0 || now <= tick + 1;
            waiting += first ? 1 : 0;
            if (now == tick) {
                return false;
            }
            ticks = lasts ? ticks + Math.max(1, now - tick) : 1;
            tick = now;
            boolean free = !pending;
            pending = true;
            return free;
        }
    }

    private void submit() {
        try {
            executor.execute(this::deliver);
        } catch (RuntimeException e) {
            delivered();
            LOG.log(
                    firstRefusal() ? Level.WARNING : Level.DEBUG,
                    "the executor of an overflow listener refused a call, which is dropped",
                    e);
        }
    }

    private boolean firstRefusal() {
        synchronized (figures) {
            boolean first = !refused;
            refused = true;
            return first;
        }
    }

    private void deliver() {
        try {
            listener.overflowing(newest());
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } finally {
            delivered();
        }
    }

    private Overflow newest() {
        synchronized (figures) {
            return new Overflow(unit.instantAt(tick), waiting, ticks);
        }
    }

    private void delivered() {
        synchronized (figures) {
            pending = false;
        }
    }

    /** One daemon thread for all listeners without an executor. It ends when it is idle. */
    static final class DefaultExecutor {
        private static final Duration IDLE = Duration.ofSeconds(10);
        static final Executor INSTANCE = open();

        private DefaultExecutor() {}

        private static Executor open() {
            ThreadPoolExecutor one = new ThreadPoolExecutor(
                    1, 1, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), DefaultExecutor::thread);
            one.allowCoreThreadTimeOut(true);
            return one;
        }

        private static Thread thread(Runnable work) {
            Thread thread = new Thread(work, "id-overflow");
            thread.setDaemon(true);
            return thread;
        }
    }
}
