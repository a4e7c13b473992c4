package org.idallocator.dropwizard.testing;

import com.google.common.util.concurrent.Uninterruptibles;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Holds up whoever comes, until it is opened; from then on nobody. Thread-safe. */
public final class Gate implements Runnable {
    private final AtomicInteger reached = new AtomicInteger();
    private final CountDownLatch open = new CountDownLatch(1);

    /** Returns when the gate is open. */
    @Override
    public void run() {
        reached.incrementAndGet();
        Uninterruptibles.awaitUninterruptibly(open);
    }

    /** How many have come so far. */
    public int reached() {
        return reached.get();
    }

    public void open() {
        open.countDown();
    }
}
