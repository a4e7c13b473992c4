package org.idallocator.core.generator;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;

/**
 * For how long callers have met used-up ticks on a replica's slots of one scheme: what a replica needs to know to hold more or
 * fewer of them. Only callers that found a slot used up come here; a draw that finds numbers pays nothing. Thread-safe,
 * lock-free.
 *
 * <p>A used-up tick counts from the moment at which the first caller met it to the tick's end, however many callers meet it. A
 * tick in which callers wait for their {@link Turns} is used up for them, and counts as well. So both sums grow by at most a second
 * in a second, whatever the scheme's tick and the number of callers. They may be ahead of the clock by a tick. Waits for a tenure's
 * first tick, and for a clock that stepped back, do not count: another slot is not what helps there.
 */
public final class Pressure {
    private final Clock clock;
    private final long tickNanos;
    private final Spans newest;
    private final Spans all;

    /** Nothing was used up so far; {@code unit} is the scheme's. */
    public Pressure(TickUnit unit, Clock clock) {
        this.clock = clock;
        this.tickNanos = unit.tickMicros() * 1_000;
        this.newest = new Spans(clock.nanos());
        this.all = new Spans(clock.nanos());
    }

    /** Nanoseconds in which all slots but the newest were used up. Never falls; 0 for as long as there is one slot. */
    public long newestNeededNanos() {
        return newest.sumNanos();
    }

    /** Nanoseconds in which all slots were used up, so that callers had to wait. Never falls. */
    public long usedUpNanos() {
        return all.sumNanos();
    }

    /** A caller goes on to the newest slot; the draw is what of the other slots is due first. */
    void newestNeeded(Draw draw) {
        add(draw, draw.waitNanos(), newest);
    }

    /** A caller that drew has to wait; the draw is what of all slots is due first. */
    void usedUp(Draw draw) {
        add(draw, draw.waitNanos(), all);
    }

    /** A caller waits for so long, after this draw: for the next tick, or for its turn in a later one. */
    void waits(Draw draw, long nanos) {
        add(draw, nanos, all);
    }

    private void add(Draw draw, long nanos, Spans spans) {
        if (!draw.cooling() && draw.waitNanos() <= tickNanos) {
            spans.add(clock.nanos(), Math.min(nanos, tickNanos));
        }
    }

    /** The length of spans of time, where what lies in several of them counts once. */
    private static final class Spans {
        private final AtomicLong endNanos;
        private final LongAdder sum = new LongAdder();

        Spans(long nowNanos) {
            endNanos = new AtomicLong(nowNanos);
        }

        /** Whoever moves the end adds what lies between the two ends, so nothing is added twice. */
        void add(long nowNanos, long nanos) {
            long end = nowNanos + nanos;
            long seen = endNanos.get();
            while (end - seen > 0) {
                if (endNanos.compareAndSet(seen, end)) {
                    sum.add(Math.min(end - seen, nanos));
                    return;
                }
                seen = endNanos.get();
            }
        }

        long sumNanos() {
            return sum.sum();
        }
    }
}
