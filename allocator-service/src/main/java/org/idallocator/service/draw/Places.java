package org.idallocator.service.draw;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** So many at a time, and whoever comes when there are as many is refused at once. Thread-safe; takes no lock. */
public final class Places {
    private final int most;
    private final String refusal;
    private final Limit limit;
    private final BusyCounts busy;
    private final AtomicInteger taken = new AtomicInteger();

    /**
     * Places, all of them free.
     *
     * @param most how many there are, 1 or more
     * @param what what takes them, in words, such as {@code answers of more than 10000 IDs are being sent}
     * @param limit says how many there are
     * @param busy counts who is refused
     */
    public Places(int most, String what, Limit limit, BusyCounts busy) {
        this.most = most;
        this.refusal =
                most + " " + what + ", which is all that this replica does at a time (" + limit.key() + "); ask again";
        this.limit = limit;
        this.busy = busy;
    }

    /** Takes a place; who has taken one gives it {@link #giveBack back}. Counts, and throws {@link BusyException}, where none is free. */
    public void take() {
        if (!tryTake()) {
            busy.refused(limit);
            throw new BusyException(refusal);
        }
    }

    /** Whether no place is free. */
    public boolean full() {
        return taken.get() >= most;
    }

    /** Counts, and throws {@link BusyException}, where no place is free; takes none. */
    void requireFree() {
        if (full()) {
            busy.refused(limit);
            throw new BusyException(refusal);
        }
    }

    /** Does something in a place. Throws {@link BusyException} where none is free. */
    public <R> R during(Supplier<R> what) {
        take();
        try {
            return what.get();
        } finally {
            giveBack();
        }
    }

    private boolean tryTake() {
        if (taken.incrementAndGet() <= most) {
            return true;
        }
        giveBack();
        return false;
    }

    /** Gives a place back that was taken. */
    public void giveBack() {
        taken.decrementAndGet();
    }

    /** How many are taken now. */
    public int taken() {
        return Math.min(taken.get(), most); // those who are being refused have none
    }
}
