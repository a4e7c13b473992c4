package org.idallocator.zk.store;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Ends what takes too long. {@link CompletableFuture#orTimeout} does the same on a thread that lives as long as Java,
 * and keeps the class loader of whoever asked first: a program that goes before Java does would stay in memory. The
 * thread here ends when it has had nothing to do for a second. Thread-safe.
 */
public final class TimeLimit {
    private static final Duration IDLE = Duration.ofSeconds(1);
    private static final ScheduledThreadPoolExecutor TIMER = timer();

    private TimeLimit() {}

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, "id-allocator-time-limits");
            thread.setDaemon(true);
            return thread;
        });
        // else what has ended keeps the thread for as long as it might have taken
        timer.setRemoveOnCancelPolicy(true);
        timer.setKeepAliveTime(IDLE.toNanos(), TimeUnit.NANOSECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** Runs this when so much time has passed, unless the future has ended by then. */
    public static void set(Duration limit, CompletableFuture<?> future, Runnable end) {
        if (!future.isDone()) {
            Future<?> late = TIMER.schedule(end, limit.toNanos(), TimeUnit.NANOSECONDS);
            var unused = future.whenComplete((answer, failure) -> late.cancel(false));
        }
    }
}
