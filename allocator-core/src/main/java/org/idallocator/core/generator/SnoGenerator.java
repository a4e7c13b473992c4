package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Sno;

/**
 * Draws snos of one partition and one range of sequences. Each 4 ms tick starts at the lower bound; a clock that steps back
 * toggles the tick-tock bit instead of waiting, once per stretch of time; a full tick waits for the next.
 *
 * <p>The variant is the metabyte, 0..255. The metabyte does not take part in keeping IDs apart: one sequence serves all.
 * IDs with a caller's own time are not drawn here, because no generator can promise them unique; build them with {@link
 * Sno#at}.
 */
public final class SnoGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(1_262_304_000_000_000L, 4_000, 39);

    private final int partition;
    private final SnoRange range;
    private final Clock clock;

    /** A fresh generator for one tenure. */
    public SnoGenerator(int partition, SnoRange range, Fence fence, Clock clock) {
        this(partition, range, clock, new TickSequence(shape(range), clock, fence, 0));
    }

    private SnoGenerator(int partition, SnoRange range, Clock clock, TickSequence sequence) {
        super(sequence);
        this.clock = clock;
        this.partition = partition;
        this.range = range;
    }

    /** Goes on after a snapshot, for programs that keep one themselves instead of a lease. */
    public static SnoGenerator restore(SnoSnapshot from, Fence fence, Clock clock) {
        SnoRange range = from.range();
        int used = from.wallHi() == 0 ? 0 : Math.min(range.size(), from.sequence() - range.min() + 1);
        TickSequence sequence =
                new TickSequence(shape(range), clock, fence, from.wallHi(), 0, used, from.drifts(), from.wallSafe());
        return new SnoGenerator(from.partition(), range, clock, sequence);
    }

    private static SequenceShape shape(SnoRange range) {
        return new SequenceShape(UNIT, range.size(), false, true, 1);
    }

    @Override
    int emit(Claim claim, int count, int metabyte, IdSink sink) {
        long high = Sno.highBits(claim.tick(), claim.toggle());
        long low = Sno.lowBits(claim.tick(), claim.toggle(), metabyte, partition, range.min() + claim.first());
        for (int i = 0; i < claim.count(); i++) {
            sink.accept(high, low + i);
        }
        return claim.count();
    }

    /** The state now. To {@link #restore} from, take it of a closed generator: then it is the last. */
    public SnoSnapshot snapshot() {
        TickSequence.Snapshot state = sequence.snapshot();
        int last = range.min() + Math.max(0, state.used() - 1);
        long safe = Math.max(0, state.wallSafe());
        return new SnoSnapshot(partition, range, last, now(), state.tick(), safe, state.stepsBack());
    }

    @Override
    public Optional<Object> handover() {
        return Optional.of(snapshot());
    }

    private long now() {
        return UNIT.tickAt(clock.micros());
    }

    /** The sequence last used in the clock's tick, or the lower bound when none was. */
    public int currentSequence() {
        SnoSnapshot state = snapshot();
        return state.now() == state.wallHi() ? state.sequence() : range.min();
    }

    /** How many IDs of the clock's tick are used. */
    public int usedInTick() {
        TickSequence.Snapshot state = sequence.snapshot();
        return now() == state.tick() ? state.used() : 0;
    }
}
