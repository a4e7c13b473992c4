package org.idallocator.core.generator;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.jspecify.annotations.Nullable;

/** One call that its first draw did not serve: books turns, waits for them, and draws. For one thread. */
final class Waiting {
    /** A caller that waits looks so often whether the tenure still serves in which its turn is. */
    private static final long LOOK_NANOS = 100_000_000;

    private final PatientSource source;
    private final boolean single;
    private final Variant variant;
    private final Delivery sink;
    private Turns turns;
    private @Nullable Turn turn;
    private boolean missed; // whether a single has had a turn in these turns, and others were faster
    private long sinceNanos; // when the call last made progress
    private long waitedNanos; // in all
    private boolean counted; // whether this call is among those that wait for an overflow

    /** {@code turns} are those of the tenure that served when the call began. */
    Waiting(PatientSource source, Turns turns, boolean single, Variant variant, Delivery sink) {
        this.source = source;
        this.turns = turns;
        this.single = single;
        this.variant = variant;
        this.sink = sink;
    }

    /**
     * Draws {@code count} IDs, turn after turn, until the sink has {@code least} or more of them. {@code first} is the call's first
     * draw, or has nothing to wait for where there was none. Returns how many the sink has.
     */
    int draw(int count, int least, Draw first) {
        WaitListener waits = source.listeners.waits();
        waits.begins();
        int got = first.issued();
        Draw last = first;
        sinceNanos = source.clock.nanos();
        try {
            while (got < least) {
                last = awaitsTurn(last, count - got) ? drawOnce(count - got) : Draw.all(0);
                got += last.issued();
                sinceNanos = last.issued() > 0 ? source.clock.nanos() : sinceNanos;
            }
            return got;
        } finally {
            endTurn();
            if (counted && source.listeners.overflows() != null) {
                source.listeners.overflows().goesOn();
            }
            waits.waited(waitedNanos);
        }
    }

    /**
     * Books a turn and waits for it. False where another tenure serves meanwhile, in which the call has to begin anew. Throws when
     * the wait is too long, when no tenure serves any more, or when the thread is interrupted.
     */
    private boolean awaitsTurn(Draw last, int left) {
        long leftNanos = Math.max(0, source.maxWaitNanos - (source.clock.nanos() - sinceNanos));
        if (last.waitNanos() > leftNanos) {
            throw tooLong(last.waitNanos(), last.cooling());
        }
        long micros = source.clock.micros();
        long due = source.unit.tickAt(micros + last.waitNanos() / 1_000);
        long latest = source.unit.tickAt(micros + leftNanos / 1_000);
        int gathered = last.waitNanos() == 0 ? 1 : source.ticksToGather(left, variant);
        Turn booked = book(Math.max(due, Math.min(latest, due + gathered - 1)), latest);
        long waitNanos = booked.tick() == due ? last.waitNanos() : source.unit.nanosUntil(booked.tick(), micros);
        if (booked.tick() > latest) {
            throw tooLong(waitNanos, false);
        }
        turn = booked;
        if (waitNanos == 0 || parks(waitNanos, last)) {
            return true;
        }
        endTurn();
        return false;
    }

    private Turn book(long due, long latest) {
        Turns serving = source.turns(turns);
        missed = missed && serving == turns;
        turns = serving;
        return single ? turns.single(due, latest, missed) : turns.batch(due, latest);
    }

    /** Draws what the turn may ask for; nothing, until the next tick, where others have had that. */
    private Draw drawOnce(int left) {
        Turn mine = Objects.requireNonNull(turn);
        Turns.Grant grant = mine.grant(left);
        if (!single) {
            turn = null; // others need not wait until the sink has taken what comes now
        }
        Draw draw = grant.count() == 0 ? untilTickAfter(grant) : drawGranted(grant);
        if (single) {
            missed = draw.issued() == 0;
            endTurn();
        } else if (draw.issued() < grant.count()) {
            mine.home().missed(grant, draw.issued());
        }
        return draw;
    }

    private Draw untilTickAfter(Turns.Grant grant) {
        return new Draw(0, source.unit.nanosUntil(grant.tick() + 1, source.clock.micros()), false);
    }

    private Draw drawGranted(Turns.Grant grant) {
        Draw sure = grant.sure() == 0 ? Draw.all(0) : source.drawOnce(grant.sure(), 0, variant, sink);
        if (sure.issued() < grant.sure() || grant.more() == 0) {
            return sure;
        }
        Draw more = source.drawOnce(grant.more(), grant.leave(), variant, sink);
        return new Draw(sure.issued() + more.issued(), more.waitNanos(), more.cooling());
    }

    /** Waits. False where another tenure serves meanwhile. */
    private boolean parks(long waitNanos, Draw last) {
        requireNotInterrupted();
        Overflows overflows = source.listeners.overflows();
        if (overflows != null && overflows.concerns(last)) {
            overflows.waits(!counted);
            counted = true;
        }
        long endNanos = source.clock.nanos() + waitNanos;
        long left = waitNanos;
        try {
            do {
                source.clock.park(Math.min(left, LOOK_NANOS)); // may return before that
                left = endNanos - source.clock.nanos();
                if (left > 0) {
                    requireNotInterrupted();
                    if (source.serving() != turns) {
                        return false;
                    }
                }
            } while (left > 0);
            return true;
        } finally {
            waitedNanos += waitNanos - left;
        }
    }

    private static void requireNotInterrupted() {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while waiting for the next tick");
        }
    }

    private void endTurn() {
        if (turn != null) {
            turn.end();
            turn = null;
        }
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
