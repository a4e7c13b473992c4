package org.idallocator.dropwizard.ids;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.LongAdder;

/** The places of one {@link Limit}. Whoever takes one gives it back once. Thread-safe; never waits. */
public final class Places {
    private final int most;
    private final Semaphore free;
    private final LongAdder givenBack = new LongAdder();

    /** So many places, 1 or more, of which none is taken. */
    Places(int most) {
        this.most = most;
        free = new Semaphore(most);
    }

    /** Takes a place, unless all are taken. */
    public boolean take() {
        return free.tryAcquire();
    }

    public void giveBack() {
        givenBack.increment();
        free.release();
    }

    /** How many there are. */
    public int most() {
        return most;
    }

    /** How many are taken now. */
    public int taken() {
        return most - free.availablePermits();
    }

    /** How many were given back since the start. Where all are taken and this stands still, nobody is served. */
    public long givenBack() {
        return givenBack.sum();
    }
}
