package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.IdSink;
import org.idallocator.core.id.Sno;
import org.idallocator.core.id.SnoPartition;

/**
 * Draws snos of one partition and one range of sequences.
 *
 * <ul>
 *   <li><b>Capacity</b>: as many IDs in a tick of 4 ms as the range has sequences, at most 65536. Each tick starts at
 *       the lower bound. The variant is a {@link #metabyte}, which does not keep IDs apart: one sequence serves all
 *       metabytes.
 *   <li><b>When a tick is used up</b>, draws wait for the next. The original meanwhile counts on above its range; here
 *       nothing is counted.
 *   <li><b>When the clock steps back</b>, the generator toggles the tick-tock bit instead of waiting, once for each
 *       stretch of time. After a second step into the same stretch, draws wait until the clock is out of it.
 *   <li><b>When the fence has tripped</b>, every draw throws {@link org.idallocator.core.fence.FencedException} at
 *       once, for good.
 * </ul>
 *
 * <p>A program that assigns partitions itself keeps a snapshot across its restarts, and goes on where it stopped:
 *
 * <pre>{@code
 * SnoSnapshot fresh = SnoSnapshot.fresh(SnoPartition.of(8), SnoRange.ALL);
 * SnoGenerator generator = SnoGenerator.restore(fresh, Clock.system());
 * Sno last = LocalIds.onSystemClock().sno(generator).next();
 *
 * generator.close();                            // first, so that nothing is drawn after the snapshot
 * SnoSnapshot kept = generator.snapshot();      // an object to Jackson
 *
 * SnoGenerator restored = SnoGenerator.restore(kept, Clock.system());
 * Sno next = LocalIds.onSystemClock().sno(restored).next();
 * }</pre>
 *
 * <p>A {@link SnoPorter} draws IDs for times that the caller chooses.
 */
public final class SnoGenerator extends SequencedGenerator {
    public static final TickUnit UNIT = new TickUnit(1_262_304_000_000_000L, 4_000, 39);

    private static final String PARAMETER = "metabyte";

    private final SnoPartition partition;
    private final SnoRange range;
    private final Clock clock;

    /** A fresh generator for one tenure. */
    public SnoGenerator(SnoPartition partition, SnoRange range, Fence fence) {
        this(partition, range, fence.clock(), new TickSequence(shape(range), fence, 0));
    }

    private SnoGenerator(SnoPartition partition, SnoRange range, Clock clock, TickSequence sequence) {
        super(sequence, PARAMETER);
        this.clock = clock;
        this.partition = partition;
        this.range = range;
    }

    /**
     * A generator that goes on after a snapshot, whatever the clock says. It repeats no ID of the old generator,
     * provided that the old one was closed before its snapshot was taken, and that each snapshot is restored only once.
     */
    public static SnoGenerator restore(SnoSnapshot from, Fence fence) {
        SnoRange range = from.range();
        TickSequence.Snapshot state =
                new TickSequence.Snapshot(from.wallHi(), from.used(), from.wallSafe(), from.drifts());
        TickSequence sequence = new TickSequence(shape(range), fence, 0, state);
        return new SnoGenerator(from.partition(), range, fence.clock(), sequence);
    }

    /** The same without a lease, for a program that assigns partitions itself. */
    public static SnoGenerator restore(SnoSnapshot from, Clock clock) {
        return restore(from, Fence.unbounded(clock, 0, UNIT.maxTick()));
    }

    /**
     * The variant that gives IDs a metabyte.
     *
     * @param metabyte 0..255
     * @throws IllegalArgumentException for any other number
     */
    public static Variant metabyte(int metabyte) {
        return new Variant(PARAMETER, Bounds.require(PARAMETER, metabyte, 0, Sno.MAX_METABYTE));
    }

    private static SequenceShape shape(SnoRange range) {
        return SequenceShape.tickTocking(UNIT, range.size());
    }

    @Override
    long high(long tick, int toggle) {
        return Sno.highBits(tick, toggle);
    }

    /**
     * The sequence is an ID's lowest bits, so the bits above are made once for a batch. Each tick begins at number 0,
     * so the numbers of a batch never pass the range.
     */
    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        long high = high(taken.tick(), taken.toggle());
        long first = low(taken.tick(), taken.toggle(), taken.first(), variant);
        for (int i = 0; i < taken.count(); i++) {
            sink.accept(high, first + i);
        }
        return taken.count();
    }

    @Override
    long low(long tick, int toggle, int number, Variant variant) {
        return Sno.lowBits(tick, toggle, variant.number(), partition.number(), range.min() + number);
    }

    public SnoPartition partition() {
        return partition;
    }

    /** The bounds of the sequence. */
    public SnoRange range() {
        return range;
    }

    /** The sequence used last in the clock's tick, or the lower bound when none was used. */
    public int sequence() {
        return range.min() + Math.max(0, length() - 1);
    }

    /** How many IDs of the clock's tick are used, 0 to the size of {@link #range}. */
    public int length() {
        TickSequence.Snapshot state = sequence.snapshot();
        return UNIT.tickAt(clock.micros()) == state.tick() ? state.used() : 0;
    }

    /** The state at this moment. Only the snapshot of a closed generator, its last state, may be restored. */
    public SnoSnapshot snapshot() {
        TickSequence.Snapshot state = sequence.snapshot();
        return new SnoSnapshot(
                partition,
                range.min(),
                range.max(),
                range.min() + Math.max(0, state.used() - 1),
                Math.max(0, Math.min(UNIT.maxTick(), UNIT.tickAt(clock.micros()))),
                state.tick(),
                Math.max(0, state.wallSafe()),
                state.stepsBack() & SnoSnapshot.MAX_COUNT);
    }

    @Override
    public Optional<Object> handover() {
        return Optional.of(snapshot());
    }
}
