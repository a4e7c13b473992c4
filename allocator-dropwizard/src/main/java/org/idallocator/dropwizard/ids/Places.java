package org.idallocator.dropwizard.ids;

import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/** The places of one {@link Limit}. Whoever takes a place closes it. Thread-safe; never waits. */
public final class Places {
    private final int most;
    private final Semaphore free;
    private final LongAdder givenBack = new LongAdder();

    /** {@code most} free places, 1 or more. */
    Places(int most) {
        this.most = most;
        free = new Semaphore(most);
    }

    /** Takes a place; empty when all are taken. */
    public Optional<Place> take() {
        return free.tryAcquire() ? Optional.of(new Place()) : Optional.empty();
    }

    /** A place that somebody has taken. */
    public final class Place implements AutoCloseable {
        private final AtomicBoolean taken = new AtomicBoolean(true);

        private Place() {}

        /**
         * Gives the place back. Does nothing when called again, because the end of a request is told more than once.
         */
        @Override
        public void close() {
            if (taken.getAndSet(false)) {
                givenBack.increment();
                free.release();
            }
        }
    }

    /** How many places there are. */
    public int most() {
        return most;
    }

    /** How many places are taken now. */
    public int taken() {
        return most - free.availablePermits();
    }

    /**
     * How many places were given back since the start. While all places are taken and this number stands still, nobody
     * is served.
     */
    public long givenBack() {
        return givenBack.sum();
    }
}
