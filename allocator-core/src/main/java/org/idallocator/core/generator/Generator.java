package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.id.IdSink;

/**
 * Draws the IDs of one tenure of one slot. No ID is issued twice under any interleaving of threads and any behaviour of
 * the clock. Thread-safe, lock-free on the way of an ordinary draw, never sleeps, never reaches out of the process.
 */
public interface Generator {

    /**
     * Draws up to {@code count} IDs in one step and hands their bits to {@code sink}, in the order of their sequence.
     * Where the tick holds fewer, it issues those and the answer says how long to wait before asking for the rest.
     *
     * @param count IDs wanted, 1 or more
     * @param variant {@link Variant#NONE} where the scheme has no variants
     * @throws IllegalArgumentException for another count, before anything is taken
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    Draw draw(int count, Variant variant, IdSink sink);

    /**
     * From which tick on draws follow the clock: one made when the clock reads it issues something at once. While the clock
     * reads an earlier tick, draws issue at most what is left of the tick in use, and then wait for this one. Takes nothing.
     *
     * <p>It is ahead of {@code now} below the tenure's floor, in a tick that is used up, and where the clock was put back behind
     * the last ID and the scheme does not toggle instead. It was right at one moment during the call. It says nothing of the
     * fence, which may refuse that tick; and a closed generator, which refuses every tick, says what it said last.
     *
     * @param now the tick to look from, usually the clock's
     * @return the first such tick, {@code now} or later
     */
    long dueTick(long now);

    /**
     * Ends issuing for good, at once and for every thread: no draw succeeds after this returns, and none that has not
     * taken its ticks by then. Idempotent.
     *
     * @return the highest tick that any ID of this generator has, on either side of a tick-tock; one below the tenure's
     *     floor when it issued none
     */
    long close();

    /**
     * What the slot's next tenure may go on from, once this is closed: a value of the type that the scheme's {@code Handover}
     * names; empty for schemes that have none.
     */
    default Optional<Object> handover() {
        return Optional.empty();
    }
}
