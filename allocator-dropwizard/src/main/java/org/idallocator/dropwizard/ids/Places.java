package org.idallocator.dropwizard.ids;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/** The places of one {@link Limit}. Whoever takes a place gives it back exactly once. Thread-safe; never waits. */
public final class Places {
    private final int most;
    private final Semaphore free;
    private final LongAdder givenBack = new LongAdder();

    /** {@code most} free places, 1 or more. */
    Places(int most) {
        this.most = most;
        free = new Semaphore(most);
    }

    /** Takes a place; returns false when all are taken. */
    public boolean take() {
        return free.tryAcquire();
    }

    public void giveBack() {
        givenBack.increment();
        free.release();
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
