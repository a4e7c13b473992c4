package org.idallocator.core.generator;

/**
 * Hears that callers of an {@link IdGenerator} wait for the next tick. It is told once a tick at most, one call at a time;
 * what comes up while it is busy is dropped, and the next call has the newest figures. What it throws goes to its thread's
 * handler of uncaught exceptions, never to a caller.
 *
 * <p>An overflow begins with the first caller that has to wait, and ends when a tick goes by in which none had to. Waits for
 * a tenure's floor or for a clock that stepped back are none: more callers would not make them longer, nor fewer shorter.
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
