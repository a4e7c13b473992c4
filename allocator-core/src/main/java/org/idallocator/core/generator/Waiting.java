package org.idallocator.core.generator;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/** One call that its first draw did not serve whole: books turns, waits for them, and draws. For one thread. */
final class Waiting {
    private final PatientSource source;
    private final boolean single;
    private final Variant variant;
    private final Delivery sink;
    private Turns turns;
    private @Nullable Turn turn;
    private long sinceNanos; // when the call last made progress
    private boolean counted; // whether this call is among those that wait for an overflow

    /** {@code turns} are those of the tenure that served when the call began. */
    Waiting(PatientSource source, Turns turns, boolean single, Variant variant, Delivery sink) {
        this.source = source;
        this.turns = turns;
        this.single = single;
        this.variant = variant;
        this.sink = sink;
    }

    /** Draws the {@code rest} of a call. {@code first} is its first draw, or has nothing to wait for where there was none. */
    void finish(int rest, Draw first) {
        int left = rest;
        Draw draw = first;
        sinceNanos = source.clock.nanos();
        try {
            while (left > 0) {
                await(draw);
                draw = drawOnce(left);
                left -= draw.issued();
                sinceNanos = draw.issued() > 0 ? source.clock.nanos() : sinceNanos;
            }
        } finally {
            endTurn();
            if (counted && source.overflows != null) {
                source.overflows.goesOn();
            }
        }
    }

    /**
     * Waits for the call's turn. A turn lasts until its draw was served, or its tick is used up. Throws when the wait is too
     * long, or when the thread is interrupted.
     */
    private void await(Draw last) {
        long leftNanos = source.maxWaitNanos - (source.clock.nanos() - sinceNanos);
        if (last.waitNanos() > leftNanos) {
            throw tooLong(last.waitNanos(), last.cooling());
        }
        long micros = source.clock.micros();
        long due = source.unit.tickAt(micros + last.waitNanos() / 1_000);
        Turn booked = turn;
        if (booked == null || last.waitNanos() == 0 || due > booked.tick()) {
            endTurn();
            booked = book(due, micros + leftNanos / 1_000);
        }
        long waitNanos = booked.tick() == due ? last.waitNanos() : source.unit.nanosUntil(booked.tick(), micros);
        if (booked.tick() > source.unit.tickAt(micros + leftNanos / 1_000)) {
            throw tooLong(waitNanos, false);
        }
        turn = booked;
        if (waitNanos > 0) {
            park(waitNanos, last);
        }
    }

    private Turn book(long due, long latestMicros) {
        turns = source.turns(turns);
        long latest = source.unit.tickAt(latestMicros);
        return single ? turns.single(due, latest) : turns.batch(due, latest);
    }

    /** Draws what the turn may ask for; nothing, until the next tick, where others have had that. */
    private Draw drawOnce(int left) {
        long micros = source.clock.micros();
        long now = source.unit.tickAt(micros);
        Turns.Grant grant = Objects.requireNonNull(turn).grant(left, now);
        if (grant.count() == 0) {
            return new Draw(0, source.unit.nanosUntil(now + 1, micros), false);
        }
        return source.drawOnce(grant.count(), grant.leave(), variant, sink);
    }

    private void park(long waitNanos, Draw last) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while waiting for the next tick");
        }
        Overflows overflows = source.overflows;
        if (overflows != null && overflows.concerns(last)) {
            overflows.waits(!counted);
            counted = true;
        }
        source.clock.park(waitNanos);
    }

    private void endTurn() {
        if (turn != null) {
            turn.end(tickNow());
            turn = null;
        }
    }

    private long tickNow() {
        return source.unit.tickAt(source.clock.micros());
    }

    private RuntimeException tooLong(long waitNanos, boolean cooling) {
        Duration wait = Duration.ofNanos(waitNanos);
        String next = "the next IDs are due in " + wait.toMillis() + " ms, after waiting up to "
                + source.maxWaitNanos / 1_000_000 + " ms";
        return cooling
                ? new FencedException(FenceReason.COOLING, FenceReason.COOLING.sentence() + " (" + next + ")", wait)
                : new OverCapacityException("more IDs were asked for than the time holds: " + next, wait);
    }
}
