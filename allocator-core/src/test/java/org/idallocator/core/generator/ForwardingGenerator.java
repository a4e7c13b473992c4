package org.idallocator.core.generator;

import java.util.Optional;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/** A generator that passes every call on to another one. Subclasses change something on the way. */
public class ForwardingGenerator implements Generator {
    private final Generator generator;

    public ForwardingGenerator(Generator generator) {
        this.generator = generator;
    }

    @Override
    public Taken take(int wanted, boolean keep) {
        return generator.take(wanted, keep);
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        return generator.emit(taken, count, variant, sink);
    }

    @Override
    public int numbers(int count, Variant variant) {
        return generator.numbers(count, variant);
    }

    @Override
    public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        return generator.drawOne(variant, reader);
    }

    @Override
    public int capacity(long tick) {
        return generator.capacity(tick);
    }

    @Override
    public long dueTick(long now) {
        return generator.dueTick(now);
    }

    @Override
    public boolean hasIssued() {
        return generator.hasIssued();
    }

    @Override
    public long close() {
        return generator.close();
    }

    @Override
    public Optional<Object> handover() {
        return generator.handover();
    }

    /** The same numbers, of which {@code by} makes IDs; with a count of 0 they are nobody's. */
    public static Taken by(Generator by, Taken taken) {
        return taken.by(by);
    }
}
