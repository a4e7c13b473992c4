package org.idallocator.core.generator;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.idallocator.core.clock.Clock;

/**
 * A clock on which callers wait for one another's time, so that seconds of many threads pass in moments, and pass alike
 * for one seed. One caller runs at a time, and time passes only while all of them wait: then it jumps to the first who
 * wakes. A caller wakes up to {@value #LATE_NANOS} ns late, and callers that wake at the same time run in any order.
 */
final class SimulatedTime implements Clock, AutoCloseable {
    static final int LATE_NANOS = 80_000;

    private final long startMicros;
    private final Random random;
    private final Queue<Waker> wakers =
            new PriorityQueue<>(Comparator.comparingLong(Waker::atNanos).thenComparingInt(Waker::order));
    private final Map<Thread, Waker> sleepers = new HashMap<>(); // one caller runs at a time
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Semaphore allWait = new Semaphore(0);
    private final ThreadLocal<Semaphore> mine = ThreadLocal.withInitial(() -> new Semaphore(0));
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile long nowNanos;
    private volatile long stepMicros; // how far the clock was set, in all
    private volatile boolean over;

    SimulatedTime(long startMicros, long seed) {
        this.startMicros = startMicros;
        this.random = new Random(seed);
    }

    private record Waker(long atNanos, int order, Runnable wakes) {}

    /** Thrown out of the wait of whoever still waits at the end. */
    static final class Over extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public long micros() {
        return startMicros + stepMicros + nowNanos / 1_000;
    }

    /** Sets the clock, and nothing else. */
    void step(long micros) {
        long before = stepMicros; // one caller runs at a time
        stepMicros = before + micros;
    }

    @Override
    public long nanos() {
        return nowNanos;
    }

    @Override
    public void park(long nanos) {
        Semaphore wakes = mine.get();
        sleepers.put(Thread.currentThread(), wakeAt(nowNanos + nanos + random.nextInt(LATE_NANOS), wakes::release));
        allWait.release();
        wakes.acquireUninterruptibly();
        sleepers.remove(Thread.currentThread());
        if (over) {
            throw new Over();
        }
    }

    /** Only a sleeper: whoever does not sleep is the caller itself, as one runs at a time. */
    @Override
    public void unpark(Thread thread) {
        Waker sleeps = sleepers.remove(thread);
        if (sleeps != null) {
            wakers.remove(sleeps);
            wakeAt(nowNanos + random.nextInt(LATE_NANOS), sleeps.wakes());
        }
    }

    /** Has a caller begin at a time. */
    void at(long nanos, Runnable caller) {
        wakeAt(
                nanos,
                () -> threads.execute(() -> {
                    try {
                        if (!over) {
                            caller.run();
                        }
                    } catch (Over e) {
                        // whoever waits at the end
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                    } finally {
                        allWait.release();
                    }
                }));
    }

    private Waker wakeAt(long nanos, Runnable wakes) {
        Waker waker = new Waker(nanos, random.nextInt(), wakes);
        wakers.add(waker);
        return waker;
    }

    /** Lets time pass until then. Throws what a caller threw. */
    void run(long untilNanos) {
        while (failure.get() == null && !wakers.isEmpty() && wakers.element().atNanos() <= untilNanos) {
            Waker next = wakers.remove();
            nowNanos = next.atNanos();
            wake(next);
        }
        if (failure.get() != null) {
            throw new AssertionError("a caller failed after " + nowNanos / 1_000_000 + " ms", failure.get());
        }
        nowNanos = untilNanos;
    }

    private void wake(Waker next) {
        next.wakes().run();
        allWait.acquireUninterruptibly();
    }

    /** Ends all callers. */
    @Override
    public void close() {
        over = true;
        while (!wakers.isEmpty()) {
            wake(wakers.remove());
        }
        threads.shutdown();
    }
}
