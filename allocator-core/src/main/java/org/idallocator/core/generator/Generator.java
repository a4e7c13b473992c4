package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * The IDs of one tenure of one slot, in two steps: {@link #take} takes numbers, and {@link #emit} makes IDs of them. No
 * number is taken twice, whatever threads and the clock do. Thread-safe; an ordinary draw takes no lock. Never sleeps,
 * and never reaches out of the process.
 *
 * <p>Programs draw from an {@link IdGenerator}, whose callers share a {@link FairQueue}. A caller of {@link #take}
 * bypasses the queue, and gets as good an ID ahead of those who wait.
 */
public interface Generator {

    /**
     * Takes up to {@code wanted} numbers in one step. If there are none, the answer has the wait in nanoseconds.
     *
     * @param wanted 1 or more
     * @param keep whether an eighth of the tick's numbers stays for others: if no more is left, nothing is taken
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    Taken take(int wanted, boolean keep);

    /**
     * Hands the bits of IDs to the sink, in the order of their sequence. An exception of the sink passes through.
     *
     * @param taken what this generator gave, or a part of it, for one call of this
     * @param count how many IDs are wanted, of which {@code taken} may be a part
     * @return how many of {@code count} IDs the sink has received; of a transaction, how many objects
     */
    int emit(Taken taken, int count, Variant variant, IdSink sink);

    /**
     * How many numbers {@code count} IDs need.
     *
     * @param variant {@link Variant#NONE} where the scheme has no variants
     * @throws IllegalArgumentException for a count below 1, or above what the variant allows, and for a variant of
     *     another scheme
     */
    int numbers(int count, Variant variant);

    /**
     * Draws one ID where that takes no more than a step, as nearly always: of a tick of which others have taken before.
     * Leaves no garbage.
     *
     * @return null where only {@link #take} can tell whether to wait, and how long
     * @throws org.idallocator.core.fence.FencedException when the tenure may issue nothing more
     */
    default <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        return null;
    }

    /**
     * How many numbers a tick has to share among callers. 0 where no tick limits the draws, below the tenure's floor,
     * and once the tenure may issue nothing more. The answer decides who draws when, and never whether an ID may be
     * issued.
     */
    default int capacity(long tick) {
        return 0;
    }

    /**
     * The tick from which on draws follow the clock: a draw made when the clock reads this tick issues something at
     * once. While the clock reads an earlier tick, draws issue at most what is left of the tick in use, and then wait
     * for this one. Takes nothing.
     *
     * <p>The tick is later than {@code now} where {@code now} is below the tenure's floor or used up, and where the
     * clock was put back behind the last ID and the scheme does not toggle. The answer was right at one moment during
     * the call. It says nothing of the fence, which may refuse that tick. A closed generator, which refuses every tick,
     * gives the answer that was right when it was closed.
     *
     * @param now the tick to look from, usually the clock's
     * @return the first such tick, {@code now} or later
     */
    long dueTick(long now);

    /**
     * Whether numbers were taken in this tenure: then the clock was past the tenure's floor at least once, so that a
     * clock that is below it was put back. False where no tick limits the draws.
     */
    default boolean hasIssued() {
        return false;
    }

    /**
     * Ends issuing for good, at once and for every thread: a draw that has not taken its ticks before this returns
     * fails. Idempotent.
     *
     * @return the highest tick of any ID of this generator, on either timeline of a tick-tock; one below the tenure's
     *     floor when the generator has issued none
     */
    long close();

    /**
     * The value from which the slot's next tenure may go on, once this generator is closed. Its type is the one that
     * the scheme's {@code Handover} names. Empty for schemes without a hand-over.
     */
    default Optional<Object> handover() {
        return Optional.empty();
    }
}
