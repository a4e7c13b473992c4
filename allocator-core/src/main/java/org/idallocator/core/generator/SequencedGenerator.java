package org.idallocator.core.generator;

import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.IdSink;

/** What the leased schemes' generators share: a clock, its ticks, and a sequence to claim from. */
abstract class SequencedGenerator implements Generator {
    private final Clock clock;
    private final TickUnit unit;
    private final Fence fence;
    final TickSequence sequence;

    SequencedGenerator(Clock clock, TickUnit unit, Fence fence, TickSequence sequence) {
        this.clock = clock;
        this.unit = unit;
        this.fence = fence;
        this.sequence = sequence;
    }

    @Override
    public final Draw draw(int count, int variant, IdSink sink) {
        long micros = clock.micros();
        long now = unit.tickAt(micros);
        Claim claim = sequence.claim(now, places(count, variant));
        int issued = claim.count() == 0 ? 0 : emit(claim, count, variant, sink);
        return issued == count ? Draw.all(issued) : partial(issued, claim, now, micros);
    }

    private Draw partial(int issued, Claim claim, long now, long micros) {
        return new Draw(issued, unit.nanosUntil(claim.resumeTick(), micros), now < fence.floorTick());
    }

    /** How many places {@code count} IDs need. */
    int places(int count, int variant) {
        return count;
    }

    /** Hands the claimed IDs to the sink and says how many of {@code count} they are. */
    abstract int emit(Claim claim, int count, int variant, IdSink sink);

    final long now() {
        return unit.tickAt(clock.micros());
    }

    @Override
    public final long close() {
        return sequence.close();
    }
}
