package org.idallocator.core.generator;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * Draws from whatever tenure serves, across changes of tenure. When a tick is used up, it waits for at most {@code
 * maxWaitNanos} without progress. Thread-safe.
 */
final class PatientSource {
    private final TenureSource<? extends Generator> source;
    private final TickUnit unit;
    private final long maxWaitNanos;
    private final Clock clock;
    private final @Nullable Overflows overflows;

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

    private void drawAll(int count, Variant variant, Delivery sink) {
        Draw first = drawOnce(count, variant, sink);
        if (first.issued() < count) {
            finish(count - first.issued(), first, variant, sink);
        }
    }

    /** Draws the rest of a call whose first draw gave too few. */
    private void finish(int rest, Draw first, Variant variant, Delivery sink) {
        int left = rest;
        Draw draw = first;
        long waitingSinceNanos = clock.nanos();
        boolean counted = false;
        try {
            while (left > 0) {
                long waitNanos = allowedNanos(draw, waitingSinceNanos);
                counted |= waits(draw, !counted);
                clock.park(waitNanos);
                draw = drawOnce(left, variant, sink);
                left -= draw.issued();
                waitingSinceNanos = draw.issued() > 0 ? clock.nanos() : waitingSinceNanos;
            }
        } finally {
            if (counted) {
                goesOn();
            }
        }
    }

    /** Counts a wait that is due to an overflow; false for any other. */
    private boolean waits(Draw draw, boolean first) {
        if (overflows == null || !overflows.concerns(draw)) {
            return false;
        }
        overflows.waits(first);
        return true;
    }

    private void goesOn() {
        if (overflows != null) {
            overflows.goesOn();
        }
    }

    /** Draws once. When the tenure ends between asking for it and drawing from it, its replacement is drawn from. */
    private Draw drawOnce(int count, Variant variant, Delivery sink) {
        while (true) {
            Generator generator = source.current();
            try {
                return generator.draw(count, variant, sink);
            } catch (FencedException e) {
                if (sink.broken() || source.current() == generator) {
                    throw e;
                }
            }
        }
    }

    /** How long to wait. Throws when that is too long, or when the thread is interrupted. */
    private long allowedNanos(Draw draw, long waitingSinceNanos) {
        long leftNanos = maxWaitNanos - (clock.nanos() - waitingSinceNanos);
        if (draw.waitNanos() > leftNanos) {
            throw tooLong(draw);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while waiting for the next tick");
        }
        return draw.waitNanos();
    }

    private RuntimeException tooLong(Draw draw) {
        Duration wait = Duration.ofNanos(draw.waitNanos());
        String next = "the next IDs are due in " + wait.toMillis() + " ms, after waiting up to "
                + maxWaitNanos / 1_000_000 + " ms";
        return draw.cooling()
                ? new FencedException(FenceReason.COOLING, FenceReason.COOLING.sentence() + " (" + next + ")", wait)
                : new OverCapacityException("more IDs were asked for than the time holds: " + next, wait);
    }
}
