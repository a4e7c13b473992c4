package org.idallocator.core.generator;

import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Muid;

/**
 * Draws muids of one medallion.
 *
 * <ul>
 *   <li><b>Capacity</b>: one transaction a microsecond, of up to 1048575 objects.
 *   <li><b>When a microsecond is used</b>, draws wait for the next.
 *   <li><b>When the clock steps back</b>, draws wait until it has caught up, so that times of one medallion always
 *       rise.
 *   <li><b>When the fence has tripped</b>, every draw throws {@link org.idallocator.core.fence.FencedException} at
 *       once, for good. A {@link MuidTransaction} that has begun goes on.
 * </ul>
 *
 * <p>The variant is {@link #OBJECTS} or {@link #TRANSACTION}. Before a batch of objects waits, it takes up to 2,000
 * microseconds that went by unused, so its times lie at most 2 ms back. Then the batch waits in one go for as many as
 * it still wants, up to 1,000.
 */
public final class MuidGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(0, 1, 56);
    private static final String PARAMETER = "transaction";

    /** Every ID is object 1 of a transaction of its own. */
    public static final Variant OBJECTS = new Variant(PARAMETER, 0);
    /**
     * One transaction, all or nothing: the sink receives its own ID, offset 0, then {@code count} objects, from offset
     * 1.
     */
    public static final Variant TRANSACTION = new Variant(PARAMETER, 1);

    static final int MICROS_AT_ONCE = 2_000;

    private static final SequenceShape SHAPE = SequenceShape.spanning(UNIT, MICROS_AT_ONCE);

    private final long medallion;

    /** A fresh generator for one tenure; {@code medallion} is 2^48 to 2^49 - 1, both inclusive. */
    public MuidGenerator(long medallion, Fence fence) {
        super(new TickSequence(SHAPE, fence, 0), PARAMETER);
        this.medallion = Muid.of(0, medallion, 0).medallion();
    }

    @Override
    public int numbers(int count, Variant variant) {
        int numbers = super.numbers(count, variant);
        if (!variant.equals(TRANSACTION)) {
            return numbers;
        }
        Bounds.require("count", count, 1, MuidTransaction.MAX_SIZE);
        return 1;
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        if (variant.equals(TRANSACTION)) {
            long high = high(taken.tick(), 0); // once: large transactions would show it
            for (int offset = 0; offset <= count; offset++) {
                sink.accept(high, Muid.lowBits(medallion, offset));
            }
            return count;
        }
        for (int i = 0; i < taken.count(); i++) {
            sink.accept(high(taken.tick() + i, 0), Muid.lowBits(medallion, 1));
        }
        return taken.count();
    }

    @Override
    long high(long tick, int toggle) {
        return Muid.highBits(tick, medallion);
    }

    @Override
    long low(long tick, int toggle, int number, Variant variant) {
        return Muid.lowBits(medallion, 1);
    }
}
