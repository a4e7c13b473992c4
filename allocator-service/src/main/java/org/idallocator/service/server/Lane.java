package org.idallocator.service.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Starts tasks in the order in which they came, so many at a time. A task works from its start until its permit is
 * given back, by whichever thread. Knows nothing of HTTP. Thread-safe; never waits.
 *
 * <p>Who adds to the queue asks for a permit afterwards, and who gives a permit back looks at the queue afterwards. So
 * a task that found no permit is seen by whoever gives back the next one, and none is left behind.
 */
final class Lane {
    private final Semaphore permits;
    private final Queue<Permit> queue = new ConcurrentLinkedQueue<>();

    /** A lane on which so many tasks work at a time, 1 or more. */
    Lane(int count) {
        permits = new Semaphore(count);
    }

    /** How many permits nobody has now. */
    int availablePermits() {
        return permits.availablePermits();
    }

    /**
     * The permit of a task that is to wait for it.
     *
     * @param task what is done once the task may work, on the thread that enters, or that gives a permit back: it hands
     *     the work on
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

    /** A task's permit to work, once. */
    final class Permit {
        private final Runnable task;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        private Permit(Runnable task) {
            this.task = task;
        }

        /** Has the task start when it is its turn. To be called once. */
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

        /** Gives the permit back, if it is not back. A task that has not begun never will. */
        void release() {
            if (state.getAndSet(State.ENDED) == State.WORKING) {
                permits.release();
                startNext();
            }
        }
    }
}
