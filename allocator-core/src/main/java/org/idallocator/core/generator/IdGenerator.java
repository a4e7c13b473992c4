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
 * What programs call: draws from whatever tenure serves, across changes of tenure, and waits where a tick is used up, for
 * at most {@code maxWait} without progress. Thread-safe. {@link #as} and {@link #onOverflow} give another generator that
 * draws from the same source, so that both together never repeat an ID.
 *
 * <p>All calls throw {@link FencedException} when no tenure serves, {@link OverCapacityException} when the next tick is
 * too far off, and {@link CancellationException} when the waiting thread is interrupted; those that take a count, 1 or
 * more, {@link IllegalArgumentException} for any other, before anything is drawn.
 *
 * @param <T> the scheme's ID type
 */
public final class IdGenerator<T extends Id> {
    private final TenureSource<? extends Generator> source;
    private final IdReader<T> reader;
    private final TickUnit unit;
    private final int defaultVariant;
    private final long maxWaitNanos;
    private final Clock clock;
    private final @Nullable Overflows overflows;

    /** {@code defaultVariant} stands where a call names no variant; {@code unit} is the scheme's. */
    public IdGenerator(
            TenureSource<? extends Generator> source,
            IdReader<T> reader,
            TickUnit unit,
            int defaultVariant,
            Duration maxWait,
            Clock clock) {
        this(source, reader, unit, defaultVariant, maxWait.toNanos(), clock, null);
    }

    private IdGenerator(
            TenureSource<? extends Generator> source,
            IdReader<T> reader,
            TickUnit unit,
            int defaultVariant,
            long maxWaitNanos,
            Clock clock,
            @Nullable Overflows overflows) {
        this.source = source;
        this.reader = reader;
        this.unit = unit;
        this.defaultVariant = defaultVariant;
        this.maxWaitNanos = maxWaitNanos;
        this.clock = clock;
        this.overflows = overflows;
    }

    /**
     * The same with another default variant and type of value, as in {@code gids.as(GidType.LOG.prefix(), LogId::ofBits)}.
     * {@code newReader} must take every ID of the variants that are asked for.
     */
    public <U extends Id> IdGenerator<U> as(int newDefaultVariant, IdReader<U> newReader) {
        return new IdGenerator<>(source, newReader, unit, newDefaultVariant, maxWaitNanos, clock, overflows);
    }

    /**
     * The same with a listener, in place of any other, that hears when callers of the returned generator wait. It is called
     * on {@code executor}, to which the waiting caller only hands it over: one that runs its work in the caller's thread
     * makes that caller wait for the listener. Draws that need not wait pay nothing.
     */
    public IdGenerator<T> onOverflow(OverflowListener listener, Executor executor) {
        Overflows told = new Overflows(listener, executor, unit, clock);
        return new IdGenerator<>(source, reader, unit, defaultVariant, maxWaitNanos, clock, told);
    }

    /** The same on one daemon thread that all such listeners share. */
    public IdGenerator<T> onOverflow(OverflowListener listener) {
        return onOverflow(listener, Overflows.DefaultExecutor.INSTANCE);
    }

    /** One ID. */
    public T next() {
        return next(defaultVariant);
    }

    /** One ID with the scheme's parameter. */
    public T next(int variant) {
        Cell cell = new Cell();
        next(1, variant, cell);
        return reader.of(cell.high, cell.low);
    }

    /** A batch, as bits, without garbage. When this throws, what the sink received so far is used up. */
    public void next(int count, IdSink sink) {
        next(count, defaultVariant, sink);
    }

    /** A batch with the scheme's parameter. */
    public void next(int count, int variant, IdSink sink) {
        Count.require(count);
        Draw draw = draw(count, variant, sink);
        if (draw.issued() < count) {
            finish(count - draw.issued(), variant, sink, draw);
        }
    }

    /** The rest of a call whose first draw gave too few. */
    private void finish(int rest, int variant, IdSink sink, Draw first) {
        int left = rest;
        Draw draw = first;
        long waitingSince = clock.nanos();
        boolean counted = false;
        try {
            while (left > 0) {
                long waitNanos = allowed(draw, waitingSince);
                counted |= waits(draw, !counted);
                clock.park(waitNanos);
                draw = draw(left, variant, sink);
                left -= draw.issued();
                waitingSince = draw.issued() > 0 ? clock.nanos() : waitingSince;
            }
        } finally {
            if (counted) {
                goesOn();
            }
        }
    }

    /** True when the wait was counted as one of an overflow. */
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

    /** A tenure may end between asking for it and drawing from it; then the one that replaced it serves. */
    private Draw draw(int count, int variant, IdSink sink) {
        while (true) {
            Generator generator = source.current();
            try {
                return generator.draw(count, variant, sink);
            } catch (FencedException e) {
                if (source.current() == generator) {
                    throw e;
                }
            }
        }
    }

    /** How long to wait; throws when that is too long, or the thread is interrupted. */
    private long allowed(Draw draw, long waitingSince) {
        long left = maxWaitNanos - (clock.nanos() - waitingSince);
        if (draw.waitNanos() > left) {
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

    /** Takes one ID out of a sink. */
    private static final class Cell implements IdSink {
        private long high;
        private long low;

        @Override
        public void accept(long newHigh, long newLow) {
            high = newHigh;
            low = newLow;
        }
    }
}
