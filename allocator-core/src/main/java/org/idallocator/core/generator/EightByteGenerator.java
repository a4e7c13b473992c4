package org.idallocator.core.generator;

import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;

/**
 * Draws eightbyte IDs of one generator ID in one cluster.
 *
 * <ul>
 *   <li><b>Capacity</b>: 64 IDs a millisecond, or one.
 *   <li><b>When a millisecond is used up</b>, draws wait for the next.
 *   <li><b>When the clock steps back</b>, draws take what is left of the last millisecond, then wait until the clock
 *       has caught up.
 *   <li><b>When the fence has tripped</b>, every draw throws {@link org.idallocator.core.fence.FencedException} at
 *       once, for good.
 * </ul>
 *
 * <p>With one ID a millisecond the sequence is always 0, and no ID starts with the same byte as the ID before it. So
 * IDs drawn one after the other land far apart in a store that splits its keys into ranges. The first byte is the
 * reversed low byte of the time: two milliseconds share it only if they are a multiple of 256 apart, and then the
 * second is passed over.
 */
public final class EightByteGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(0, 1_000, 42);

    private static final SequenceShape SHAPE = SequenceShape.plain(UNIT, 64);
    private static final SequenceShape ONE_PER_MILLISECOND = SequenceShape.plain(UNIT, 1);
    private static final int FIRST_BYTES = 256;

    private final int generator;
    private final int cluster;
    private final boolean onePerMillisecond;
    private long lastTick = -1; // guarded by this; used only with one ID a millisecond

    /** A fresh generator for one tenure; {@code generator} is 0..63, {@code cluster} 0..15. */
    public EightByteGenerator(int generator, int cluster, boolean onePerMillisecond, Fence fence) {
        super(new TickSequence(onePerMillisecond ? ONE_PER_MILLISECOND : SHAPE, fence, 0), "");
        EightByteId checked = EightByteId.of(0, 0, generator, cluster);
        this.generator = checked.generator();
        this.cluster = checked.cluster();
        this.onePerMillisecond = onePerMillisecond;
    }

    @Override
    public Taken take(int wanted, boolean keep) {
        return onePerMillisecond ? takeOtherFirstByte() : super.take(wanted, keep);
    }

    /**
     * Holds the lock, so that ticks are compared in the order in which they are taken. A tick passed over is not
     * issued.
     */
    private synchronized Taken takeOtherFirstByte() {
        Taken taken = super.take(1, false);
        if (taken.count() == 0) {
            return taken;
        }
        boolean passedOver = hasSameFirstByte(taken.tick());
        lastTick = taken.tick();
        return passedOver ? Taken.none(taken.waitNanos(), taken.until()) : taken;
    }

    private synchronized boolean hasSameFirstByte(long tick) {
        return lastTick >= 0 && (tick - lastTick) % FIRST_BYTES == 0;
    }

    @Override
    public long dueTick(long now) {
        return onePerMillisecond ? dueWithOtherFirstByte(now) : super.dueTick(now);
    }

    private synchronized long dueWithOtherFirstByte(long now) {
        long due = super.dueTick(now);
        return hasSameFirstByte(due) ? due + 1 : due;
    }

    @Override
    long high(long tick, int toggle) {
        return 0;
    }

    @Override
    long low(long tick, int toggle, int number, Variant variant) {
        return EightByteId.bits(tick, number, generator, cluster);
    }
}
