package org.idallocator.bench;

import java.time.Duration;

/** Time that passes while something is measured. */
public final class Pause {
    private Pause() {}

    /**
     * Waits so long, or not at all for less than nothing. Throws {@link IllegalStateException} where this thread is
     * interrupted.
     */
    public static void of(Duration duration) {
        try {
            Thread.sleep(Math.max(0, duration.toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", e);
        }
    }
}
