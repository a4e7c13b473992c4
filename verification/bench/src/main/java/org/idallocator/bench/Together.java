package org.idallocator.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What several threads do at the same time. */
public final class Together {
    private Together() {}

    /** Makes these calls, each on a thread of its own, and returns what they return, in their order. */
    public static <T> List<T> all(Collection<? extends Callable<T>> calls) {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            return await(calls.stream().map(threads::submit).toList());
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Waits for results. Throws {@link IllegalStateException} for the first that is none, or where this thread is
     * interrupted.
     */
    public static <T> List<T> await(Collection<? extends Future<? extends T>> pending) {
        List<T> results = new ArrayList<>();
        try {
            for (Future<? extends T> each : pending) {
                results.add(each.get());
            }
            return results;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a thread has failed", e);
        }
    }
}
