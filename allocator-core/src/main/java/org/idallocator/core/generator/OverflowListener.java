package org.idallocator.core.generator;

/**
 * Hears that callers of an {@link IdGenerator} wait for the next tick. The listener is called at most once a tick, one
 * call at a time. While a call is under way, further calls are dropped; the next call has the newest figures. An
 * exception of the listener goes to its thread's handler of uncaught exceptions, never to a caller of the generator. A
 * call that the executor refuses is dropped.
 *
 * <p>An overflow begins with the first caller that has to wait, and ends when a tick goes by in which none had to.
 * Waiting for a tenure's floor, or for a clock that stepped back, is no overflow: the number of callers changes nothing
 * about it.
 *
 * <pre>{@code
 * IdGenerator<Uid60> ids = LocalIds.onSystemClock()
 *         .uid60(18)
 *         .onOverflow(overflow -> System.err.println(overflow.waiting() + " wait, in tick " + overflow.ticks()));
 * Uid60 id = ids.next();
 * }</pre>
 */
@FunctionalInterface
public interface OverflowListener {

    void overflowing(Overflow overflow);
}
