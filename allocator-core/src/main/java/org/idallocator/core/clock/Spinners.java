package org.idallocator.core.clock;

import java.util.concurrent.atomic.AtomicInteger;

/** How many threads may spin at a time: who spins takes a core from those who have work to do. Thread-safe. */
final class Spinners {
    private final int most;
    private final AtomicInteger now = new AtomicInteger();

    /** {@code most} threads at a time, 0 or more. */
    Spinners(int most) {
        this.most = most;
    }

    /** As many as half the cores, and one at least. */
    static Spinners onHalfTheCores() {
        return new Spinners(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    /** Whether the calling thread may spin now; then it calls {@link #end} afterwards. */
    boolean begin() {
        if (now.incrementAndGet() <= most) {
            return true;
        }
        end();
        return false;
    }

    void end() {
        now.decrementAndGet();
    }
}
