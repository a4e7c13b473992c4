package org.idallocator.core.generator;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;

/**
 * What programs call: draws from whatever tenure serves, across changes of tenure, and waits where a tick is used up, for
 * at most {@code maxWait} without progress. Thread-safe.
 *
 * <p>All calls throw {@link FencedException} when no tenure serves, {@link OverCapacityException} when the next tick is
 * too far off, and {@link CancellationException} when the waiting thread is interrupted.
 *
 * @param <T> the scheme's ID type
 */
public final class IdGenerator<T extends Id> {
    private final TenureSource<? extends Generator> source;
    private final IdReader<T> reader;
    private final int defaultVariant;
    private final long maxWaitNanos;
    private final Clock clock;

    /** {@code defaultVariant} stands where a call names no variant. */
    public IdGenerator(
            TenureSource<? extends Generator> source,
            IdReader<T> reader,
            int defaultVariant,
            Duration maxWait,
            Clock clock) {
        this.source = source;
        this.reader = reader;
        this.defaultVariant = defaultVariant;
        this.maxWaitNanos = maxWait.toNanos();
        this.clock = clock;
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
        if (count < 1) {
            throw new IllegalArgumentException("count must be 1 or more: " + count);
        }
        int left = count;
        long waitingSince = clock.nanos();
        while (true) {
            Draw draw = draw(left, variant, sink);
            left -= draw.issued();
            if (left == 0) {
                return;
            }
            waitingSince = draw.issued() > 0 ? clock.nanos() : waitingSince;
            pause(draw, waitingSince);
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

    private void pause(Draw draw, long waitingSince) {
        long left = maxWaitNanos - (clock.nanos() - waitingSince);
        if (draw.waitNanos() > left) {
            throw tooLong(draw);
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while waiting for the next tick");
        }
        clock.park(draw.waitNanos());
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
