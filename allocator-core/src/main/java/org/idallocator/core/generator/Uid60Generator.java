package org.idallocator.core.generator;

import java.util.function.IntSupplier;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Uid60;

/**
 * Draws uid60s of one worker ID.
 *
 * <ul>
 *   <li><b>Capacity</b>: 1024 IDs a second. The sequence starts anywhere and runs on from second to second, modulo
 *       1024.
 *   <li><b>When a second is used up</b>, draws wait for the next.
 *   <li><b>When the clock steps back</b>, draws take what is left of the last second, then wait until the clock has
 *       caught up.
 *   <li><b>When the fence has tripped</b>, every draw throws {@link org.idallocator.core.fence.FencedException} at
 *       once, for good. A leased worker ID is held for an hour at most; then the next one serves.
 * </ul>
 *
 * <p>The random bits do not keep IDs apart.
 */
public final class Uid60Generator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(1_519_862_400_000_000L, 1_000_000, 32);

    private static final SequenceShape SHAPE = SequenceShape.continuing(UNIT, 1_024);

    private final int worker;
    private final IntSupplier random;

    /**
     * A fresh generator for one tenure.
     *
     * @param worker 0..511
     * @param start the sequence of the first ID, 0..1023
     * @param random gives the random bits of each ID, the lowest nine of each value; thread-safe
     */
    public Uid60Generator(int worker, int start, IntSupplier random, Fence fence) {
        super(new TickSequence(SHAPE, fence, start), "");
        this.worker = Uid60.of(0, worker, start, 0).worker();
        this.random = random;
    }

    @Override
    long high(long tick, int toggle) {
        return 0;
    }

    @Override
    long low(long tick, int toggle, int number, Variant variant) {
        return Uid60.bits(tick, worker, number, random.getAsInt() & Uid60.MAX_RANDOM);
    }
}
