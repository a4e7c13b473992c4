package org.idallocator.zk.lease;

import java.util.function.LongSupplier;

/**
 * One kind of what the lease loop does. Each time, it asks ZooKeeper a few times at most, so that whatever is more
 * urgent is late by one task at most.
 */
final class Task {
    /** So many nanoseconds what nobody needs for now may wait. */
    static final long NEVER = Long.MAX_VALUE;

    private final LongSupplier untilDue;
    private final Runnable work;

    /** {@code untilDue} says how many nanoseconds the work may wait; 0 when it is due. */
    Task(LongSupplier untilDue, Runnable work) {
        this.untilDue = untilDue;
        this.work = work;
    }

    /** How many nanoseconds it may wait; 0 when it is due, and {@link #NEVER} where nobody needs it for now. */
    long nanosUntilDue() {
        return untilDue.getAsLong();
    }

    boolean isDue() {
        return nanosUntilDue() == 0;
    }

    void run() {
        work.run();
    }
}
