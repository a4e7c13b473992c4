package org.idallocator.core.generator;

/**
 * Hears of each call of an {@link IdGenerator} that has to wait: for a tick, behind others, for a tenure's first tick,
 * or for a clock that stepped back. Called in the caller's thread, so it must be quick and thread-safe. Its exceptions
 * reach the caller. Calls that need not wait never come here.
 */
@FunctionalInterface
public interface WaitListener {
    /** Ignores what it hears. */
    WaitListener NONE = nanos -> {};

    /**
     * A call is about to wait. An exception from here refuses the call, such as {@link OverCapacityException} where too
     * many callers wait; {@link #waited} does not follow then. A call for several IDs may have drawn some of them
     * before.
     */
    default void begins() {}

    /**
     * A call that {@link #begins} announced is over, also where it failed. Should throw nothing.
     *
     * @param nanos how long it has waited in all; 0 where the wait would be too long, or is not needed after all
     */
    void waited(long nanos);
}
