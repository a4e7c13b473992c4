package org.idallocator.core.generator;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.jspecify.annotations.Nullable;

/**
 * Who draws when, where callers want more numbers than a tick holds. All callers of a source share one queue, which
 * stays when tenures and slots come and go. It decides who asks the generator, and when; a {@link Line} decides who
 * gets how many of what a tick holds. Thread-safe; the lock is held while numbers are taken and shared, and never while
 * somebody waits or a sink runs.
 *
 * <p>A <i>single</i> is a call for one ID; every other call is a <i>batch</i>. Whoever finds a tick used up stands in
 * line, singles and batches apart, and sleeps until the tick that should have numbers for those ahead and the caller.
 * <b>Whoever enters a tick serves the line first</b>: the first caller that wakes in it, or a newcomer, takes for all
 * those in line, shares what it took among them, and only then takes for itself. Those who wake find theirs; those who
 * would oversleep it are woken. So in a tick that somebody has entered, everybody who came before has had what there is
 * for him, and {@link #drawOne} need not look whether anybody waits.
 *
 * <p>Batches keep an eighth of each tick for singles to come, for as long as singles have waited in the last
 * {@value #LINGER_TICKS} ticks. Where a tick holds fewer than {@value Line#SHARES} numbers, as with muid, nothing is
 * shared: everybody asks when the next tick comes.
 */
final class FairQueue {
    static final int LINGER_TICKS = 16;

    /**
     * A caller that waits looks so often whether the line has moved up, a clock was put right, or what it waits for
     * serves no more.
     */
    private static final long LOOK_NANOS = 100_000_000;

    /**
     * Whoever sleeps for no longer than this after its numbers are there is left to wake by itself, as waking somebody
     * takes time, too.
     */
    private static final long OVERSLEPT_NANOS = 1_000_000;

    final TickUnit unit;
    final Clock clock;
    private final TenureSource<? extends Generator> source;
    private final long maxWaitNanos;
    private final Line line = new Line(); // guarded by this
    private final Queue<Waiting> served = new ConcurrentLinkedQueue<>(); // who was given something, and may sleep
    private long keepUntilNanos; // guarded by this: until then, batches keep a part of each tick for singles to come

    FairQueue(TenureSource<? extends Generator> source, TickUnit unit, long maxWaitNanos, Clock clock) {
        this.source = source;
        this.unit = unit;
        this.maxWaitNanos = maxWaitNanos;
        this.clock = clock;
        this.keepUntilNanos = clock.nanos();
    }

    /** One call of a program, and for how long it has waited. For the thread that makes it. */
    static final class Call {
        private final boolean single;
        private final Variant variant;
        private final WaitListener waits;
        private final @Nullable Overflows overflows;
        private long waitedNanos = -1; // in all; below 0 while it need not wait
        private long forClockNanos; // of these, until the clock has passed an ID that was seen

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

    /** A call's wait for its next numbers, and what it is given meanwhile. */
    private final class Waiting extends Line.Place {
        private final Call call;
        private final Thread thread = Thread.currentThread();
        private volatile long parkedUntilNanos; // in the past while it does not sleep
        private volatile @Nullable Taken given; // written by whoever holds the queue's lock

        private Waiting(Call call, int wanted, long sinceNanos) {
            super(call.single, wanted);
            this.call = call;
            this.parkedUntilNanos = sinceNanos;
        }

        @Override
        void receive(Taken part) {
            given = part;
            served.add(this);
        }

        /**
         * Sleeps, unless it was given something, and returns for how long. Whoever gives it something sees until when
         * it sleeps.
         */
        private long park(long nanos) {
            long fromNanos = clock.nanos();
            parkedUntilNanos = fromNanos + nanos;
            if (given == null) { // who gave it something before may have seen that it does not sleep
                clock.park(nanos); // may return before that
            }
            long nowNanos = clock.nanos();
            parkedUntilNanos = nowNanos;
            return nowNanos - fromNanos;
        }

        private void wakeIfOverslept() {
            if (parkedUntilNanos - clock.nanos() > OVERSLEPT_NANOS) {
                clock.unpark(thread);
            }
        }
    }

    /** Returns where something serves; where nothing does, throws what a draw throws. */
    void requireServing() {
        try {
            var unused = source.current();
        } catch (FencedException e) {
            throw e.forCaller();
        }
    }

    /** How long a call may wait without progress. */
    Duration maxWait() {
        return Duration.ofNanos(maxWaitNanos);
    }

    /** For how long a call may yet wait for the clock to pass an ID that was seen. */
    long patienceNanos(Call call) {
        return maxWaitNanos - call.forClockNanos;
    }

    /** Sleeps for so long, or less: a caller that waits for the clock looks often, as those in line do. */
    void sleepForClock(Call call, long nanos) {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancellationException("interrupted while waiting for the clock to pass the ID that was seen");
        }
        call.begins();
        long fromNanos = clock.nanos();
        clock.park(Math.min(nanos, LOOK_NANOS));
        long passed = clock.nanos() - fromNanos;
        call.waitedNanos += passed;
        call.forClockNanos += passed;
    }

    /** One ID where that takes no more than a step; null where {@link #take} has to be asked. */
    <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            return source.current().drawOne(variant, reader);
        } catch (FencedException e) {
            return null;
        }
    }

    /**
     * Numbers for one ID where there are some at once. Where there are none, and where nothing serves, the count is 0.
     */
    Taken poll(Variant variant) {
        try {
            return ask(new Call(true, variant, WaitListener.NONE, null), 1, null);
        } catch (FencedException e) {
            return Taken.none(0, Taken.Until.NEXT_TICK);
        }
    }

    /** Numbers for up to {@code count} IDs, 1 or more. Waits for them, for as long as callers wait. */
    Taken take(Call call, int count) {
        try {
            Taken taken = ask(call, count, null);
            return taken.count() > 0 ? taken : await(call, count, taken);
        } catch (FencedException e) {
            throw e.forCaller();
        }
    }

    private Taken await(Call call, int count, Taken none) {
        call.begins();
        long sinceNanos = clock.nanos();
        Waiting waiting = new Waiting(call, source.current().numbers(count, call.variant), sinceNanos);
        try {
            Taken taken = none;
            while (taken.count() == 0) {
                sleep(waiting, taken, Math.max(0, maxWaitNanos - (clock.nanos() - sinceNanos)));
                Taken given = waiting.given;
                taken = given == null ? ask(call, count, waiting) : given;
            }
            return taken;
        } catch (FencedException | OverCapacityException | CancellationException refused) {
            Taken given = leave(waiting);
            if (given == null) {
                throw refused;
            }
            return given; // at the last moment: nobody else would get it
        } finally {
            var unused = leave(waiting);
        }
    }

    /**
     * When the tenure ends between asking for it and taking from it, its replacement is asked.
     *
     * @param waiting the place of a call that waits; null where it has not waited yet
     */
    private Taken ask(Call call, int count, @Nullable Waiting waiting) {
        while (true) {
            Generator from = source.current();
            try {
                int wanted = from.numbers(count, call.variant);
                int holds = from.capacity(unit.tickAt(clock.micros()));
                boolean joined = waiting != null && waiting.hasJoined();
                return holds < Line.SHARES && !joined
                        ? alone(wanted, from)
                        : inTurn(call.single, wanted, waiting, from, holds);
            } catch (FencedException e) {
                if (givenTo(waiting) == null && source.current() == from) {
                    throw e;
                }
            }
        }
    }

    /**
     * Where nothing is shared. A wait for many ticks in one step takes half of the patience at most: else fewer are
     * asked for.
     */
    private Taken alone(int wanted, Generator from) {
        Taken taken = from.take(wanted, false);
        int fewer = (int) Math.max(1, Math.min(wanted, maxWaitNanos / 2_000 / unit.tickMicros()));
        return taken.count() > 0 || taken.waitNanos() <= maxWaitNanos / 2 ? taken : from.take(fewer, false);
    }

    /** Serves those who came before, and then the call, where nobody of its kind is left in line. */
    private Taken inTurn(boolean single, int wanted, @Nullable Waiting waiting, Generator from, int holds) {
        try {
            return serveInTurn(single, wanted, waiting, from, holds);
        } finally {
            wakeServed(); // without the lock
        }
    }

    private void wakeServed() {
        for (Waiting waiting = served.poll(); waiting != null; waiting = served.poll()) {
            waiting.wakeIfOverslept();
        }
    }

    private synchronized Taken serveInTurn(
            boolean single, int wanted, @Nullable Waiting waiting, Generator from, int holds) {
        Taken given = givenTo(waiting);
        if (given != null) {
            return given;
        }
        Taken last = line.serve(from::take, holds, keeps());
        given = givenTo(waiting);
        if (given != null) {
            return given;
        }
        return line.isEmpty(single)
                ? from.take(wanted, !single && keeps())
                : Taken.none(last.waitNanos(), last.until());
    }

    private static @Nullable Taken givenTo(@Nullable Waiting waiting) {
        return waiting == null ? null : waiting.given;
    }

    /** Whether batches keep a part of each tick for singles to come. */
    private boolean keeps() {
        return keepUntilNanos - clock.nanos() > 0;
    }

    /** Waits until the call may find something, is given something, or what it waits for serves no more. */
    private void sleep(Waiting waiting, Taken none, long leftNanos) {
        Generator from = source.current();
        long due = unit.tickAt(clock.micros() + none.waitNanos() / 1_000);
        long waitNanos = join(waiting, none.waitNanos(), from.capacity(due));
        if (waitNanos > leftNanos) {
            throw tooLong(whatFor(none, waitNanos - none.waitNanos(), leftNanos), Duration.ofNanos(waitNanos));
        }
        Overflows overflows = waiting.call.overflows;
        boolean counted = overflows != null && overflows.begins(none);
        try {
            park(waiting, waitNanos, from, due);
        } finally {
            if (overflows != null && counted) {
                overflows.ends();
            }
        }
    }

    private void park(Waiting waiting, long waitNanos, Generator from, long due) {
        long left = waitNanos;
        while (left > 0 && waiting.given == null) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted while waiting for the next tick");
            }
            long passed = waiting.park(Math.min(left, LOOK_NANOS));
            waiting.call.waitedNanos += passed;
            left -= passed;
            if (left > 0 && waiting.given == null) {
                int holds = source.current() == from ? from.capacity(due) : 0;
                long nanos = unit.nanosUntil(due, clock.micros());
                left = holds == 0 ? 0 : Math.min(left, join(waiting, nanos, holds));
            }
        }
    }

    /**
     * Stands in line, unless nothing is shared, and returns how long the call sleeps: for as long as those ahead take,
     * too.
     */
    private synchronized long join(Waiting waiting, long waitNanos, int holds) {
        if (waiting.given != null) {
            return 0;
        }
        boolean shared = holds >= Line.SHARES;
        if (shared && !waiting.hasJoined()) {
            line.join(waiting);
        }
        long all = waitNanos + (shared ? aheadNanos(waiting, holds) : 0);
        if (shared && waiting.call.single) {
            keepUntilNanos = clock.nanos() + all + LINGER_TICKS * unit.tickMicros() * 1_000;
        }
        return all;
    }

    private long aheadNanos(Waiting waiting, int holds) {
        return line.ticksUntil(waiting, holds, keeps()) * unit.tickMicros() * 1_000;
    }

    /** Has nobody give it anything from now on, and returns what it was given before. */
    private synchronized @Nullable Taken leave(Waiting waiting) {
        line.leave(waiting);
        return waiting.given;
    }

    /**
     * What a wait is for that is too long. Where the tick that has numbers is ahead of the next, it is for that,
     * although the line may take a part of the time; but not where the line would be too long from the next tick on,
     * too, and that tick would not.
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
