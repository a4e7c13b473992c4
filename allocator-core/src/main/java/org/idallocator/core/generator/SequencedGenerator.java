package org.idallocator.core.generator;

import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/** What the generators of the leased schemes share: a sequence to take numbers from. */
abstract class SequencedGenerator implements Generator {
    final TickSequence sequence;
    private final String parameter;

    /** {@code parameter} is the name of the scheme's parameter; empty where it has none. */
    SequencedGenerator(TickSequence sequence, String parameter) {
        this.sequence = sequence;
        this.parameter = parameter;
    }

    /** The upper bits of an ID. */
    abstract long high(long tick, int toggle);

    /** The lower 64 bits of an ID. */
    abstract long low(long tick, int toggle, int number, Variant variant);

    @Override
    public Taken take(int wanted, boolean keep) {
        return sequence.take(wanted, keep ? sequence.capacity() / Line.SHARES : 0)
                .by(this);
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        long high = high(taken.tick(), taken.toggle());
        int capacity = sequence.capacity();
        for (int i = 0; i < taken.count(); i++) {
            int number = taken.first() + i;
            sink.accept(
                    high, low(taken.tick(), taken.toggle(), number < capacity ? number : number - capacity, variant));
        }
        return taken.count();
    }

    @Override
    public int numbers(int count, Variant variant) {
        variant.requireOf(parameter);
        return Bounds.count(count);
    }

    @Override
    public final <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        variant.requireOf(parameter);
        long word = sequence.takeOne();
        if (word == TickSequence.NOT_NOW) {
            return null;
        }
        long tick = sequence.tick(word);
        int toggle = sequence.toggle(word);
        return reader.of(high(tick, toggle), low(tick, toggle, sequence.number(word), variant));
    }

    @Override
    public final int capacity(long tick) {
        return sequence.capacity(tick);
    }

    @Override
    public long dueTick(long now) {
        return sequence.dueTick(now);
    }

    @Override
    public final boolean hasIssued() {
        return sequence.hasIssued();
    }

    @Override
    public final long close() {
        return sequence.close();
    }
}
