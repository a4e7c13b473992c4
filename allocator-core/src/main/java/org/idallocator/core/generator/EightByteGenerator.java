package org.idallocator.core.generator;

import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.EightByteId;
import org.idallocator.core.id.IdSink;

/**
 * Draws eight-byte IDs of one generator ID in one cluster: 64 a millisecond, then it waits for the next. A clock that
 * steps back holds the last millisecond until it is used up or the clock has caught up.
 */
public final class EightByteGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(0, 1_000, 42);

    private static final SequenceShape SHAPE = new SequenceShape(UNIT, 64, false, false, 1);

    private final int generator;
    private final int cluster;

    /** A fresh generator for one tenure; {@code generator} is 0..63, {@code cluster} 0..15. */
    public EightByteGenerator(int generator, int cluster, Fence fence, Clock clock) {
        super(new TickSequence(SHAPE, clock, fence, 0));
        EightByteId checked = EightByteId.of(0, 0, generator, cluster);
        this.generator = checked.generator();
        this.cluster = checked.cluster();
    }

    @Override
    int emit(Claim claim, int count, int variant, IdSink sink) {
        for (int i = 0; i < claim.count(); i++) {
            sink.accept(0, EightByteId.bits(claim.tick(), claim.first() + i, generator, cluster));
        }
        return claim.count();
    }
}
