package org.idallocator.core.generator;

import org.jspecify.annotations.Nullable;

/**
 * Who hears of callers that wait.
 *
 * @param overflows counts those that wait for the next tick; null where nobody listens
 * @param waits hears of each call that waits
 */
record Listeners(@Nullable Overflows overflows, WaitListener waits) {
    /** Nobody. */
    static final Listeners NONE = new Listeners(null, WaitListener.NONE);
}
