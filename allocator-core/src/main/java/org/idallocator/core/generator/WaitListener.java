package org.idallocator.core.generator;

/**
 * Hears of each call of an {@link IdGenerator} that has to wait: for a tick, behind others, for a tenure's first tick, or for a
 * clock that stepped back. Called in the caller's thread; what this throws, the caller gets. So this must be quick, and must be
 * thread-safe. Calls that need not wait never come here.
 */
@FunctionalInterface
public interface WaitListener {
    /** Ignores what it hears. */
    WaitListener NONE = nanos -> {};

    /**
     * A call is about to wait. By an exception this keeps it from that, such as {@link OverCapacityException} where too many callers
     * wait already; then nothing further is heard of the call. A call for several IDs may have drawn some of them before.
     */
    default void begins() {}

    /**
     * A call of which this heard that it {@link #begins} is over, also where it failed. Should throw nothing.
     *
     * @param nanos how long it has waited in all; 0 where it was refused, or where it need not wait after all
     */
    void waited(long nanos);
}
