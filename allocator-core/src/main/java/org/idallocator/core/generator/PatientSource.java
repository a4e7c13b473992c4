package org.idallocator.core.generator;

import java.util.concurrent.Executor;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * Draws from whatever tenure serves, across changes of tenure. When a tick is used up, it waits for at most {@code
 * maxWaitNanos} without progress, in {@link Turns}. Thread-safe.
 */
final class PatientSource {
    final TickUnit unit;
    final long maxWaitNanos;
    final Clock clock;
    final @Nullable Overflows overflows;
    private final TenureSource<? extends Generator> source;

    PatientSource(
            TenureSource<? extends Generator> source,
            TickUnit unit,
            long maxWaitNanos,
            Clock clock,
            @Nullable Overflows overflows) {
        this.source = source;
        this.unit = unit;
        this.maxWaitNanos = maxWaitNanos;
        this.clock = clock;
        this.overflows = overflows;
    }

    /** The same source with a listener in place of any other. */
    PatientSource onOverflow(OverflowListener listener, Executor executor) {
        return new PatientSource(source, unit, maxWaitNanos, clock, new Overflows(listener, executor, unit, clock));
    }

    /** One ID where that takes no more than a step; null where {@link #draw} has to be asked. */
    <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            return source.current().drawOne(variant, reader);
        } catch (FencedException e) {
            return null;
        }
    }

    /**
     * Hands one ID to the sink; false where {@link #draw} has to be asked, and then nothing was drawn. Never waits: a generator
     * only says how long others should, and a clock that steps back under tick-tock holds its lock for a few instructions.
     */
    boolean poll(Variant variant, IdSink sink) {
        Delivery delivery = new Delivery(sink);
        try {
            return source.current().draw(1, variant, delivery).issued() == 1;
        } catch (FencedException e) {
            if (delivery.broken()) {
                throw e;
            }
            return false;
        }
    }

    /** Hands exactly {@code count} IDs to the sink. What the sink throws comes out as it is. */
    void draw(int count, Variant variant, IdSink sink) {
        Count.require(count);
        Delivery delivery = new Delivery(sink);
        try {
            drawAll(count, variant, delivery);
        } catch (FencedException e) {
            throw delivery.broken() ? e : e.forCaller();
        }
    }

    /** Singles ask at once. So do batches, unless others wait: then they book a turn first. */
    private void drawAll(int count, Variant variant, Delivery sink) {
        boolean single = count == 1;
        Turns turns = source.current().turns();
        boolean atOnce = single || turns.quiet();
        Draw first = atOnce ? drawOnce(count, 0, variant, sink) : Draw.all(0);
        if (first.issued() < count) {
            new Waiting(this, turns, single, variant, sink).finish(count - first.issued(), first);
        }
    }

    /**
     * Draws once, and leaves so many numbers of the tick. When the tenure ends between asking for it and drawing from it, its
     * replacement is drawn from.
     */
    Draw drawOnce(int count, int leave, Variant variant, Delivery sink) {
        while (true) {
            Generator generator = source.current();
            try {
                return generator.draw(count, leave, variant, sink);
            } catch (FencedException e) {
                if (sink.broken() || source.current() == generator) {
                    throw e;
                }
            }
        }
    }

    /** The turns of the tenure that serves; {@code last} where none serves, because the draw after the wait tells why. */
    Turns turns(Turns last) {
        try {
            return source.current().turns();
        } catch (FencedException e) {
            return last;
        }
    }
}
