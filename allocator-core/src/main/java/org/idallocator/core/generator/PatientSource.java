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
    final Listeners listeners;
    private final TenureSource<? extends Generator> source;

    PatientSource(
            TenureSource<? extends Generator> source,
            TickUnit unit,
            long maxWaitNanos,
            Clock clock,
            Listeners listeners) {
        this.source = source;
        this.unit = unit;
        this.maxWaitNanos = maxWaitNanos;
        this.clock = clock;
        this.listeners = listeners;
    }

    /** The same source with a listener in place of any other. */
    PatientSource onOverflow(OverflowListener listener, Executor executor) {
        return with(new Listeners(new Overflows(listener, executor, unit, clock), listeners.waits()));
    }

    /** The same source with a listener in place of any other. */
    PatientSource onWait(WaitListener listener) {
        return with(new Listeners(listeners.overflows(), listener));
    }

    private PatientSource with(Listeners others) {
        return new PatientSource(source, unit, maxWaitNanos, clock, others);
    }

    /** One ID where that takes no more than a step, and nobody waits; null where {@link #draw} has to be asked. */
    <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            Generator generator = source.current();
            return generator.turns().quiet() ? generator.drawOne(variant, reader) : null;
        } catch (FencedException e) {
            return null;
        }
    }

    /**
     * Hands one ID to the sink; false where {@link #draw} has to be asked, and then nothing was drawn. Never waits for a tick. May
     * hold a lock for some instructions: that of the turns while others wait, that of a generator with one ID a millisecond, and
     * that of a clock that steps back under tick-tock.
     */
    boolean poll(Variant variant, IdSink sink) {
        Delivery delivery = new Delivery(sink);
        try {
            Generator generator = source.current();
            return generator
                            .draw(1, leaveOfSingle(generator.turns()), variant, delivery)
                            .issued()
                    == 1;
        } catch (FencedException e) {
            if (delivery.broken()) {
                throw e;
            }
            return false;
        }
    }

    /**
     * Hands IDs to the sink: {@code count} of them, or {@code least} or more, where the turns so far have given
     * those. Returns how many. What the sink throws comes out as it is.
     */
    int draw(int count, int least, Variant variant, IdSink sink) {
        Count.require(count);
        Delivery delivery = new Delivery(sink);
        try {
            return drawPatiently(count, least, variant, delivery);
        } catch (FencedException e) {
            throw delivery.broken() ? e : e.forCaller();
        }
    }

    /** Singles ask at once, and leave what is for others. So do batches, unless others wait: then they book a turn first. */
    private int drawPatiently(int count, int least, Variant variant, Delivery sink) {
        boolean single = count == 1;
        Turns turns = source.current().turns();
        boolean atOnce = single || turns.quiet();
        Draw first = atOnce ? drawOnce(count, single ? leaveOfSingle(turns) : 0, variant, sink) : Draw.all(0);
        return first.issued() >= least
                ? first.issued()
                : new Waiting(this, turns, single, variant, sink).draw(count, least, first);
    }

    private static int leaveOfSingle(Turns turns) {
        return turns.quiet() ? 0 : turns.leaveToOthers();
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

    /** As {@link Generator#ticksToGather}; 1 where none serves, because the draw after the wait tells why. */
    int ticksToGather(int count, Variant variant) {
        try {
            return source.current().ticksToGather(count, variant);
        } catch (FencedException e) {
            return 1;
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

    /** The turns of the tenure that serves, for whoever waits in some; throws {@link FencedException} where none does. */
    Turns serving() {
        while (true) {
            Generator generator = source.current();
            try {
                generator.requireServing();
                return generator.turns();
            } catch (FencedException e) {
                if (source.current() == generator) {
                    throw e;
                }
            }
        }
    }
}
