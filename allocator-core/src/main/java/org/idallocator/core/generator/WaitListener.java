package org.idallocator.core.generator;

/**
 * Hears of each call of an {@link IdGenerator} that had to wait, when the call is over: for a tick, for its turn in one, for a
 * tenure's first tick, or for a clock that stepped back. Called in the caller's thread, also where the call fails after its wait; what
 * this throws, the caller gets. So this must be quick, must throw nothing, and must be thread-safe. Calls that need not wait, and those
 * that are refused before they wait, never come here.
 */
@FunctionalInterface
public interface WaitListener {
    /** Ignores what it hears. */
    WaitListener NONE = nanos -> {};

    /** A call has waited for so many nanoseconds in all, 1 or more. */
    void waited(long nanos);
}
