package org.idallocator.core.testing;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Taken;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdSink;

/** IDs that a test gives: the numbers that are taken are their places in the list. Has no ticks. */
final class GivenIds<T extends Id> implements Generator {
    private final List<T> ids;
    private final AtomicInteger drawn = new AtomicInteger();

    GivenIds(List<T> ids) {
        this.ids = ids;
    }

    /** The one of the IDs that has these bits. */
    T ofBits(long high, long low) {
        return ids.stream()
                .filter(id -> id.high() == high && id.low() == low)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Taken take(int wanted, boolean keep) {
        int first = drawn.getAndUpdate(before -> wanted > ids.size() - before ? before : before + wanted);
        int left = ids.size() - first;
        if (wanted > left) {
            throw new IllegalStateException(
                    "the test gave too few IDs: %d of %d are left, %d are drawn".formatted(left, ids.size(), wanted));
        }
        return new Taken(this, 0, 0, 0, first, wanted, 0, Taken.Until.NEXT_TICK);
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        for (Id id : ids.subList(taken.first(), taken.first() + taken.count())) {
            sink.accept(id.high(), id.low());
        }
        return taken.count();
    }

    @Override
    public int numbers(int count, Variant variant) {
        return Bounds.count(count);
    }

    @Override
    public long dueTick(long now) {
        return now;
    }

    /** Without effect: nobody but the test ends this. */
    @Override
    public long close() {
        return 0;
    }
}
