package org.idallocator.core.generator;

import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdSink;

/**
 * Draws eight-byte IDs of one generator ID in one cluster.
 *
 * <ul>
 *   <li><b>Capacity</b>: 64 a millisecond, or one.
 *   <li><b>A full millisecond</b> waits for the next.
 *   <li><b>A clock that steps back</b> holds the last millisecond until it is used up, then waits until the clock has caught
 *       up.
 *   <li><b>Fenced</b>, every draw throws {@link org.idallocator.core.fence.FencedException} at once, for good.
 * </ul>
 *
 * <p>With one ID a millisecond the sequence is always 0, and no ID starts with the same byte as the one before, so that IDs
 * drawn together land far apart in a store that splits its keys into ranges. The first byte is the reversed low byte of
 * the time, so milliseconds differ in it unless they are a multiple of 256 apart; such a one is passed over.
 */
public final class EightByteGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(0, 1_000, 42);

    private static final SequenceShape SHAPE = SequenceShape.plain(UNIT, 64);
    private static final SequenceShape ONE_PER_MILLISECOND = SequenceShape.plain(UNIT, 1);
    private static final int FIRST_BYTES = 256;

    private final int generator;
    private final int cluster;
    private final boolean onePerMillisecond;
    private long lastTick = -1; // guarded by this; only where there is one ID a millisecond

    /** A fresh generator for one tenure; {@code generator} is 0..63, {@code cluster} 0..15. */
    public EightByteGenerator(int generator, int cluster, Fence fence, Clock clock) {
        this(generator, cluster, false, fence, clock);
    }

    /** The same; {@code onePerMillisecond} for at most one ID a millisecond. */
    public EightByteGenerator(int generator, int cluster, boolean onePerMillisecond, Fence fence, Clock clock) {
        super(new TickSequence(onePerMillisecond ? ONE_PER_MILLISECOND : SHAPE, clock, fence, 0));
        EightByteId checked = EightByteId.of(0, 0, generator, cluster);
        this.generator = checked.generator();
        this.cluster = checked.cluster();
        this.onePerMillisecond = onePerMillisecond;
    }

    @Override
    Taken take(int wanted) {
        return onePerMillisecond ? takeOtherFirstByte() : super.take(wanted);
    }

    /** Holds the lock, so that ticks are compared in the order in which they are taken. A tick passed over is not issued. */
    private synchronized Taken takeOtherFirstByte() {
        Taken taken = super.take(1);
        if (taken.count() == 0) {
            return taken;
        }
        boolean passedOver = sameFirstByte(taken.tick());
        lastTick = taken.tick();
        return passedOver ? Taken.none(taken.waitNanos(), false) : taken;
    }

    private synchronized boolean sameFirstByte(long tick) {
        return lastTick >= 0 && (tick - lastTick) % FIRST_BYTES == 0;
    }

    @Override
    public long dueTick(long now) {
        return onePerMillisecond ? dueWithOtherFirstByte(now) : super.dueTick(now);
    }

    private synchronized long dueWithOtherFirstByte(long now) {
        long due = super.dueTick(now);
        return sameFirstByte(due) ? due + 1 : due;
    }

    @Override
    int emit(Taken taken, int count, Variant variant, IdSink sink) {
        for (int i = 0; i < taken.count(); i++) {
            sink.accept(0, EightByteId.bits(taken.tick(), taken.first() + i, generator, cluster));
        }
        return taken.count();
    }
}
