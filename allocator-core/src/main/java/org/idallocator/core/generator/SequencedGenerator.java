package org.idallocator.core.generator;

import org.idallocator.core.id.IdSink;

/** What the generators of the leased schemes share: a sequence to take numbers from. */
abstract class SequencedGenerator implements Generator {
    final TickSequence sequence;
    private final Turns turns;
    private final String parameter;

    /** {@code parameter} is the name of the scheme's parameter; empty where it has none. */
    SequencedGenerator(TickSequence sequence, String parameter) {
        this.sequence = sequence;
        this.turns = new Turns(sequence.capacity(), sequence::tickNow);
        this.parameter = parameter;
    }

    @Override
    public final Draw draw(int count, Variant variant, IdSink sink) {
        return draw(count, 0, variant, sink);
    }

    @Override
    public final Draw draw(int count, int leave, Variant variant, IdSink sink) {
        variant.requireOf(parameter);
        Taken taken = take(wanted(Count.require(count), variant), leave);
        int issued = taken.count() == 0 ? 0 : emit(taken, count, variant, sink);
        return issued == count ? Draw.all(issued) : new Draw(issued, taken.waitNanos(), taken.cooling());
    }

    @Override
    public final void requireServing() {
        sequence.requireOpen();
    }

    @Override
    public final Turns turns() {
        return turns;
    }

    @Override
    public final int capacity(long tick) {
        return sequence.capacity(tick);
    }

    @Override
    public final int ticksToGather(int count, Variant variant) {
        return sequence.ticksToGather(wanted(count, variant));
    }

    @Override
    public final int room() {
        return sequence.room();
    }

    /** Takes up to {@code wanted} sequence numbers, and leaves so many of the tick. */
    Taken take(int wanted, int leave) {
        return sequence.take(wanted, leave);
    }

    /** How many sequence numbers {@code count} IDs need. */
    int wanted(int count, Variant variant) {
        return count;
    }

    /** Hands the IDs of what was taken to the sink, and returns how many of {@code count} they are. */
    abstract int emit(Taken taken, int count, Variant variant, IdSink sink);

    @Override
    public long dueTick(long now) {
        return sequence.dueTick(now);
    }

    @Override
    public final long close() {
        return sequence.close();
    }
}
