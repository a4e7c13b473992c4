package org.idallocator.service.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A queue of tasks that bounds how many of them work at a time. Tasks start in the order in which they came. A task
 * works from its start until some thread releases its permit. Knows nothing of HTTP. Thread-safe; never waits.
 *
 * <p>A thread that adds to the queue tries for a permit afterwards. A thread that releases a permit looks at the queue
 * afterwards. So a task that found no permit is started by the next release, and no task is left behind.
 */
final class Lane {
    private final Semaphore permits;
    private final Executor releases;
    private final Queue<Permit> queue = new ConcurrentLinkedQueue<>();

    /** A lane on which {@code count} tasks work at a time, 1 or more. */
    Lane(int count) {
        this(count, Runnable::run);
    }

    /** The same, where permits become free when {@code releases} runs what it is given: at once, or after a rest. */
    Lane(int count, Executor releases) {
        permits = new Semaphore(count);
        this.releases = releases;
    }

    /** How many permits no task has now. */
    int availablePermits() {
        return permits.availablePermits();
    }

    /**
     * A permit for a task that is not in the queue yet; see {@link Permit#enqueue}.
     *
     * @param task begins the work, and returns at once. It runs on the thread that enqueues the permit, or on one that
     *     releases another permit
     */
    Permit newPermit(Runnable task) {
        return new Permit(task);
    }

    private void startNext() {
        while (!queue.isEmpty() && permits.tryAcquire()) {
            Permit next = queue.poll();
            if (next == null || !next.start()) { // another thread was faster, or the task has ended before it began
                permits.release();
            }
        }
    }

    private enum State {
        WAITING,
        WORKING,
        ENDED
    }

    /** The permit of one task, which works once at most. */
    final class Permit {
        private final Runnable task;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        private Permit(Runnable task) {
            this.task = task;
        }

        /** Adds the task to the end of the queue, and starts it when its turn comes. To be called once. */
        void enqueue() {
            queue.add(this);
            startNext();
        }

        private boolean start() {
            boolean starts = state.compareAndSet(State.WAITING, State.WORKING);
            if (starts) {
                task.run();
            }
            return starts;
        }

        /** Gives the permit back. Further calls do nothing. A task that has not started by then never starts. */
        void release() {
            if (state.getAndSet(State.ENDED) == State.WORKING) {
                releases.execute(this::free);
            }
        }

        private void free() {
            permits.release();
            startNext();
        }
    }
}
