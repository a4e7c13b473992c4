package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * Draws the IDs of one tenure of one slot. No ID is issued twice, whatever the interleaving of threads and whatever the
 * clock does. Thread-safe; an ordinary draw takes no lock. Never sleeps, and never reaches out of the process.
 */
public interface Generator {

    /**
     * Draws up to {@code count} IDs in one step and hands their bits to {@code sink}, in the order of their sequence. When
     * the tick holds fewer, the draw issues those, and says how long to wait before asking for the rest.
     *
     * @param count IDs wanted, 1 or more
     * @param variant {@link Variant#NONE} where the scheme has no variants
     * @throws IllegalArgumentException for another count, before anything is taken
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    Draw draw(int count, Variant variant, IdSink sink);

    /**
     * The same, but leaves so many numbers of the tick to others: where the tick holds no more than that, the draw gives
     * nothing, as if the tick were used up. Where no tick limits the draws, there is nothing to leave.
     *
     * @param leave 0 or more
     * @throws IllegalArgumentException for fewer, before anything is taken
     */
    default Draw draw(int count, int leave, Variant variant, IdSink sink) {
        return draw(count, variant, sink);
    }

    /**
     * Returns where the tenure may still issue IDs, for callers that wait for a tick. Takes nothing.
     *
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    default void requireServing() {}

    /** The turns in which callers draw when they want more than a tick holds. */
    default Turns turns() {
        return Turns.NONE;
    }

    /**
     * How many numbers a tick has to share among callers. 0 where no tick limits the draws, below the tenure's floor, and once the
     * tenure may issue nothing more. The answer decides who draws when, and never whether an ID may be issued.
     */
    default int capacity(long tick) {
        return 0;
    }

    /**
     * How many ticks a caller that has to wait for {@code count} IDs lets go by before it asks again, 1 or more: where a draw may take
     * several ticks that went by unused, one wait for many costs less than a wait for each.
     */
    default int ticksToGather(int count, Variant variant) {
        return 1;
    }

    /** How many of these numbers the clock's tick has left at this moment. Nobody is promised them. */
    default int room() {
        return 0;
    }

    /**
     * Draws one ID where that takes no more than a step, as nearly always. Leaves no garbage.
     *
     * @return null where {@link #draw} has to be asked, which knows whether and how long to wait
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    default <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        return null;
    }

    /**
     * The tick from which on draws follow the clock: a draw made when the clock reads this tick issues something at once.
     * While the clock reads an earlier tick, draws issue at most what is left of the tick in use, and then wait for this one.
     * Takes nothing.
     *
     * <p>The tick is later than {@code now} below the tenure's floor, in a tick that is used up, and where the clock was put
     * back behind the last ID and the scheme does not toggle instead. The answer was right at one moment during the call. It
     * says nothing of the fence, which may refuse that tick. A closed generator, which refuses every tick, gives the answer
     * that was right when it was closed.
     *
     * @param now the tick to look from, usually the clock's
     * @return the first such tick, {@code now} or later
     */
    long dueTick(long now);

    /**
     * Ends issuing for good, at once and for every thread: a draw that has not taken its ticks before this returns fails.
     * Idempotent.
     *
     * @return the highest tick of any ID of this generator, on either timeline of a tick-tock; one below the tenure's floor
     *     when the generator has issued none
     */
    long close();

    /**
     * The value from which the slot's next tenure may go on, once this generator is closed. Its type is the one that the
     * scheme's {@code Handover} names. Empty for schemes without a hand-over.
     */
    default Optional<Object> handover() {
        return Optional.empty();
    }
}
