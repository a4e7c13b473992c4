package org.idallocator.core.generator;

import org.idallocator.core.id.IdSink;

/**
 * What one draw from a generator gave, past all queues.
 *
 * @param issued how many IDs the sink received; of a transaction, how many objects
 * @param waitNanos how long to wait before asking for the rest; 0 when nothing is left to ask for
 * @param until what that wait is for
 */
public record Draw(int issued, long waitNanos, Taken.Until until) {

    public static Draw of(Generator generator, int count, Variant variant, IdSink sink) {
        Taken taken = generator.take(generator.numbers(count, variant), false);
        int issued = taken.count() == 0 ? 0 : taken.emit(count, variant, sink);
        return issued == count ? all(issued) : new Draw(issued, taken.waitNanos(), taken.until());
    }

    /** Draws until there are enough, or the generator says that there is no more: of several slots, all of them. */
    public static Draw many(Generator generator, int count, Variant variant, IdSink sink) {
        int issued = 0;
        while (issued < count) {
            Draw draw = of(generator, count - issued, variant, sink);
            issued += draw.issued();
            if (draw.issued() == 0) {
                return new Draw(issued, draw.waitNanos(), draw.until());
            }
        }
        return all(issued);
    }

    static Draw all(int issued) {
        return new Draw(issued, 0, Taken.Until.NEXT_TICK);
    }
}
