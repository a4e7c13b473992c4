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
    private final Semaphore free;
    private final Queue<Permit> queue = new ConcurrentLinkedQueue<>();

    /** A lane on which so many tasks work at a time, 1 or more. */
    Lane(int permits) {
        free = new Semaphore(permits);
    }

    /** How many permits nobody has now. */
    int availablePermits() {
        return free.availablePermits();
    }

    /**
     * The permit of a task that is to wait for it.
     *
     * @param start what is done once the task may work, on the thread that enters, or that gives a permit back: it
     *     hands the work on
     */
    Permit permit(Runnable start) {
        return new Permit(start);
    }

    private void startNext() {
        while (!queue.isEmpty() && free.tryAcquire()) {
            Permit next = queue.poll();
            if (next == null || !next.begin()) { // another thread was faster, or the task has ended before it began
                free.release();
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
        private final Runnable start;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

        private Permit(Runnable start) {
            this.start = start;
        }

        /** Has the task start when it is its turn. To be called once. */
        void enter() {
            queue.add(this);
            startNext();
        }

        private boolean begin() {
            boolean begins = state.compareAndSet(State.WAITING, State.WORKING);
            if (begins) {
                start.run();
            }
            return begins;
        }

        /** Gives the permit back, if it is not back. A task that has not begun never will. */
        void release() {
            if (state.getAndSet(State.ENDED) == State.WORKING) {
                free.release();
                startNext();
            }
        }
    }
}
