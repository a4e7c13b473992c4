package org.idallocator.core.generator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.jspecify.annotations.Nullable;

/**
 * Who draws when, where callers want more numbers than a tick holds. All callers of a source share one queue, which stays when tenures
 * and slots come and go. It decides who asks the generator, and when. What it takes for several callers at once, it shares among them:
 * each number goes to one of them, or two would have the same ID. Thread-safe; the lock is held while numbers are taken and shared, and
 * never while somebody waits or a sink runs.
 *
 * <p>A <i>single</i> is a call for one ID; every other call is a <i>batch</i>. Whoever finds a tick used up stands in line, singles and
 * batches apart, and sleeps until the tick that should have numbers for those ahead and the caller. <b>Whoever enters a tick serves the
 * line first</b>: the first caller that wakes in it, or a newcomer, takes for all those in line, shares what it took among them, and
 * only then takes for itself. Those who wake find theirs. So in a tick that somebody has entered, everybody who came before has had
 * what there is for him, and {@link #drawOne} need not look whether anybody waits.
 *
 * <ul>
 *   <li>While batches are in line, singles in line get up to six eighths of a tick first, in the order in which they came; then the
 *       batches, in even shares; then singles in line what is left.
 *   <li>Batches keep an eighth of the tick for singles to come, for as long as singles have waited in the last {@value #LINGER_TICKS}
 *       ticks. Otherwise they take the whole tick.
 * </ul>
 *
 * <p>Where a tick holds fewer than {@value #SHARES} numbers, as with muid, nothing is shared: everybody asks when the next tick comes.
 */
final class FairQueue {
    static final int SHARES = 8;
    static final int LINGER_TICKS = 16;

    /** A caller that waits looks so often whether the line has moved up, a clock was put right, or what it waits for serves no more. */
    private static final long LOOK_NANOS = 100_000_000;

    final TickUnit unit;
    final Clock clock;
    private final TenureSource<? extends Generator> source;
    private final long maxWaitNanos;
    private final Deque<Call> singles = new ArrayDeque<>(); // guarded by this
    private final Deque<Call> batches = new ArrayDeque<>(); // guarded by this
    private Taken last = Taken.none(0, Taken.Until.NEXT_TICK); // guarded by this: the last answer to those in line
    private long keepUntilNanos; // guarded by this: until then, batches keep a part of each tick for singles to come

    FairQueue(TenureSource<? extends Generator> source, TickUnit unit, long maxWaitNanos, Clock clock) {
        this.source = source;
        this.unit = unit;
        this.maxWaitNanos = maxWaitNanos;
        this.clock = clock;
        this.keepUntilNanos = clock.nanos();
    }

    /** One call of a program. For the thread that makes it, but for what it is given. */
    static final class Call {
        private final boolean single;
        private final Variant variant;
        private final WaitListener waits;
        private final @Nullable Overflows overflows;
        private int wanted; // numbers; written before the call is in line
        private boolean joined; // in line, or given something
        private volatile @Nullable Taken given; // written by whoever holds the queue's lock
        private long waitedNanos = -1; // in all; below 0 while it need not wait

        /** {@code overflows} counts calls that wait for the next tick; null where nobody listens. */
        Call(boolean single, Variant variant, WaitListener waits, @Nullable Overflows overflows) {
            this.single = single;
            this.variant = variant;
            this.waits = waits;
            this.overflows = overflows;
        }

        private void begins() {
            if (waitedNanos < 0) {
                waits.begins();
                waitedNanos = 0;
            }
        }

        /** The call is over, also where it failed. */
        void ends() {
            if (waitedNanos >= 0) {
                waits.waited(waitedNanos);
            }
        }
    }

    /** One ID where that takes no more than a step; null where {@link #take} has to be asked. */
    <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            return source.current().drawOne(variant, reader);
        } catch (FencedException e) {
            return null;
        }
    }

    /** Numbers for one ID where there are some at once. Where there are none, and where nothing serves, the count is 0. */
    Taken poll(Variant variant) {
        try {
            return ask(new Call(true, variant, WaitListener.NONE, null), 1);
        } catch (FencedException e) {
            return Taken.none(0, Taken.Until.NEXT_TICK);
        }
    }

    /** Numbers for up to {@code count} IDs, 1 or more. Waits for them, for as long as callers wait. */
    Taken take(Call call, int count) {
        try {
            Taken taken = ask(call, count);
            return taken.count() > 0 ? taken : await(call, count, taken);
        } catch (FencedException e) {
            throw e.forCaller();
        }
    }

    private Taken await(Call call, int count, Taken none) {
        call.begins();
        long sinceNanos = clock.nanos();
        Taken taken = none;
        try {
            while (taken.count() == 0) {
                sleep(call, taken, Math.max(0, maxWaitNanos - (clock.nanos() - sinceNanos)));
                Taken given = call.given;
                taken = given == null ? ask(call, count) : given;
            }
            return taken;
        } finally {
            leave(call);
        }
    }

    /** When the tenure ends between asking for it and taking from it, its replacement is asked. */
    private Taken ask(Call call, int count) {
        while (true) {
            Generator from = source.current();
            try {
                call.wanted = from.numbers(count, call.variant);
                int holds = from.capacity(unit.tickAt(clock.micros()));
                return holds < SHARES && !call.joined ? alone(call, from) : inTurn(call, from, holds);
            } catch (FencedException e) {
                if (call.given == null && source.current() == from) {
                    throw e;
                }
            }
        }
    }

    /** Where nothing is shared. A wait for many ticks at once takes half of the patience at most: else fewer are asked for. */
    private Taken alone(Call call, Generator from) {
        Taken taken = from.take(call.wanted, false);
        int fewer = (int) Math.max(1, Math.min(call.wanted, maxWaitNanos / 2_000 / unit.tickMicros()));
        return taken.count() > 0 || taken.waitNanos() <= maxWaitNanos / 2 ? taken : from.take(fewer, false);
    }

    /** Serves those who came before, and then the call, where nobody of its kind is left in line. */
    private synchronized Taken inTurn(Call call, Generator from, int holds) {
        if (call.given == null) {
            serve(from, holds);
        }
        Taken given = call.given;
        if (given != null) {
            return given;
        }
        return line(call).isEmpty()
                ? from.take(call.wanted, !call.single && keeps())
                : Taken.none(last.waitNanos(), last.until());
    }

    private Deque<Call> line(Call call) {
        return call.single ? singles : batches;
    }

    /** Whether batches keep a part of each tick for singles to come. */
    private boolean keeps() {
        return keepUntilNanos - clock.nanos() > 0;
    }

    private void serve(Generator from, int holds) {
        // With nothing to share, the floor may be reached meanwhile; else they learn how long to wait.
        int all = holds == 0 ? Integer.MAX_VALUE : holds;
        if (batches.isEmpty()) {
            give(singles, from, all, false);
        } else if (give(singles, from, all - 2 * (all / SHARES), false)) {
            give(batches, from, all, keeps());
            give(singles, from, all, false);
        }
    }

    /** Gives a line up to {@code most} numbers. False when there are no more, before all were served. */
    private boolean give(Deque<Call> line, Generator from, int most, boolean keep) {
        int left = most;
        while (left > 0 && !line.isEmpty()) {
            long wanted =
                    line.stream().limit(left).mapToLong(call -> call.wanted).sum();
            last = from.take((int) Math.min(wanted, left), keep);
            if (last.count() == 0) {
                return false;
            }
            left -= last.count();
            share(last, line);
        }
        return true;
    }

    /**
     * Gives the first in line a part each, as even as what they want allows, so that every number finds an owner. They leave the line,
     * whether or not they got all.
     */
    private static void share(Taken taken, Deque<Call> line) {
        List<Call> calls = new ArrayList<>();
        while (calls.size() < taken.count() && !line.isEmpty()) {
            calls.add(line.remove());
        }
        calls.sort(Comparator.comparingInt(call -> call.wanted));
        int from = 0;
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            int count = Math.min(call.wanted, (taken.count() - from) / (calls.size() - i));
            call.given = taken.part(from, count);
            from += count;
        }
    }

    /** Waits until the call may find something, is given something, or what it waits for serves no more. */
    private void sleep(Call call, Taken none, long leftNanos) {
        Generator from = source.current();
        long due = unit.tickAt(clock.micros() + none.waitNanos() / 1_000);
        long waitNanos = join(call, none.waitNanos(), leftNanos, from.capacity(due));
        if (waitNanos > leftNanos) {
            throw tooLong(whatFor(none, waitNanos - none.waitNanos(), leftNanos), Duration.ofNanos(waitNanos));
        }
        Overflows overflows = call.overflows;
        boolean counted = overflows != null && overflows.begins(none);
        try {
            park(call, waitNanos, from, due);
        } finally {
            if (overflows != null && counted) {
                overflows.ends();
            }
        }
    }

    private void park(Call call, long waitNanos, Generator from, long due) {
        long left = waitNanos;
        while (left > 0 && call.given == null) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted while waiting for the next tick");
            }
            long fromNanos = clock.nanos();
            clock.park(Math.min(left, LOOK_NANOS)); // may return before that
            long passed = clock.nanos() - fromNanos;
            call.waitedNanos += passed;
            left -= passed;
            if (left > 0 && call.given == null) {
                int holds = source.current() == from ? from.capacity(due) : 0;
                long nanos = unit.nanosUntil(due, clock.micros());
                left = holds == 0 ? 0 : Math.min(left, join(call, nanos, Long.MAX_VALUE, holds));
            }
        }
    }

    /**
     * Stands in line, unless nothing is shared, and returns how long the call sleeps: for as long as those ahead take, too. Where that
     * is longer than the call may wait, it leaves the line before anybody can give it a part, because its caller refuses it.
     */
    private synchronized long join(Call call, long waitNanos, long leftNanos, int holds) {
        if (call.given != null) {
            return 0;
        }
        long all = waitNanos + (holds < SHARES ? 0 : aheadNanos(call, holds));
        if (all > leftNanos) {
            line(call).remove(call);
        } else if (holds >= SHARES && !call.joined) {
            call.joined = true;
            line(call).add(call);
        }
        if (holds >= SHARES && call.single) {
            keepUntilNanos = clock.nanos() + all + LINGER_TICKS * unit.tickMicros() * 1_000;
        }
        return all;
    }

    private long aheadNanos(Call call, int holds) {
        List<Call> ahead = line(call).stream().takeWhile(other -> other != call).toList();
        long wanted = ahead.stream().mapToLong(other -> other.wanted).sum();
        int part = holds / SHARES;
        int share = call.single ? batches.isEmpty() ? holds : holds - part : keeps() ? part : holds;
        long ticks = Math.min(ahead.size() / part, wanted / share); // of many batches, each gets a little in a tick
        return ticks * unit.tickMicros() * 1_000;
    }

    private synchronized void leave(Call call) {
        if (call.joined && call.given == null) {
            line(call).remove(call);
        }
        call.joined = false;
        call.given = null;
    }

    /**
     * What a wait is for that is too long. Where the tick that has numbers is ahead of the next, it is for that, although the line may
     * take a part of the time; but not where the line would be too long from the next tick on, too, and that tick would not.
     */
    private Taken.Until whatFor(Taken none, long lineNanos, long leftNanos) {
        long micros = clock.micros();
        long nextTickNanos = unit.nanosUntil(unit.tickAt(micros) + 1, micros);
        boolean lineAlone = nextTickNanos + lineNanos > leftNanos && none.waitNanos() <= leftNanos;
        return lineAlone ? Taken.Until.NEXT_TICK : none.until();
    }

    private RuntimeException tooLong(Taken.Until until, Duration wait) {
        String next = "the next IDs are due in " + wait.toMillis() + " ms, after waiting up to "
                + maxWaitNanos / 1_000_000 + " ms";
        return switch (until) {
            case NEXT_TICK -> new OverCapacityException("more IDs were asked for than the time holds: " + next, wait);
            case FLOOR -> FencedException.of(FenceReason.COOLING, next, wait);
            case CLOCK_CATCHES_UP -> FencedException.of(FenceReason.CLOCK_BEHIND, next, wait);
        };
    }
}
