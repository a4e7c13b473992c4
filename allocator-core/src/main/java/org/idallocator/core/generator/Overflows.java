package org.idallocator.core.generator;

import java.util.concurrent.Executor;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;

/**
 * Counts callers that wait for the next tick, and tells a listener through an executor. Only callers that wait come
 * here. Thread-safe. The lock is held for a few instructions, and never while the listener or the executor runs.
 */
final class Overflows {
    private final OverflowListener listener;
    private final Executor executor;
    private final TickUnit unit;
    private final Clock clock;
    private int waiting; // guarded by this
    private long tick = Long.MIN_VALUE; // guarded by this
    private long ticks; // guarded by this
    private volatile boolean pending; // a delivery is waiting or under way; set by who holds the lock

    Overflows(OverflowListener listener, Executor executor, TickUnit unit, Clock clock) {
        this.listener = listener;
        this.executor = executor;
        this.unit = unit;
        this.clock = clock;
    }

    /**
     * Counts a caller that waits for the next tick, or, of muids, for up to a millisecond. False where it waits for a
     * tenure's floor, or for a clock that stepped back.
     */
    boolean begins(Taken none) {
        if (none.until() != Taken.Until.NEXT_TICK) {
            return false;
        }
        if (count()) {
            try {
                executor.execute(this::deliver);
            } catch (RuntimeException e) {
                pending = false; // the executor refused it: it is dropped
            }
        }
        return true;
    }

    /** Counts a caller that waits no more. */
    synchronized void ends() {
        waiting--;
    }

    /**
     * True when the caller must tell the listener: for the first wait of a tick, unless a delivery is pending. A
     * pending delivery that has not begun takes the new figures. The clock is read under the lock, so that a reading
     * before {@code tick} means that the clock stepped back.
     */
    private synchronized boolean count() {
        long now = unit.tickAt(clock.micros());
        boolean lasts = waiting > 0 || now <= tick + 1;
        waiting++;
        if (now == tick) {
            return false;
        }
        ticks = lasts ? ticks + Math.max(1, now - tick) : 1;
        tick = now;
        boolean free = !pending;
        pending = true;
        return free;
    }

    private void deliver() {
        try {
            listener.overflowing(newest());
        } catch (RuntimeException e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } finally {
            pending = false;
        }
    }

    private synchronized Overflow newest() {
        return new Overflow(unit.instantAt(tick), waiting, ticks);
    }
}
