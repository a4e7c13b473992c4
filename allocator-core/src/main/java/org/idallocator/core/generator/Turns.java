package org.idallocator.core.generator;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;

/**
 * Who draws when, where callers want more numbers than a tick holds. Each generator has its own; several slots of one scheme
 * share one, which stays when slots come and go. Turns keep no IDs apart, and a draw without a turn gives as good an ID: they only
 * decide who asks the generator in which tick, and for how many. Thread-safe; the lock is held for some instructions. While turns
 * are {@link #quiet}, draws never come here.
 *
 * <p>A <i>single</i> is a call for one ID; every other call is a <i>batch</i>. Whoever has to wait books a turn: a tick in which
 * there are numbers for the caller. Nobody wakes before, so that each tick wakes only those whom it can serve.
 *
 * <ul>
 *   <li>Singles get their turns in the order in which they came, up to seven eighths of each tick. A single that others were
 *       faster than gets the next tick, before those that came later.
 *   <li>While batches wait, an eighth of each tick is theirs: no single takes it. All further numbers of the tick they take only
 *       while enough are left for the singles whose turn is in this tick, and an eighth of the tick for singles to come.
 *   <li>That eighth is left for as long as singles have waited in the last {@value #LINGER_TICKS} ticks. Otherwise batches take
 *       the whole tick.
 *   <li>Batches whose turn is in the same tick share what is theirs evenly. A batch has had its turn when it was told how many
 *       numbers it may ask for, however long its caller then takes for them.
 *   <li>A single that comes while others wait asks at once, but leaves what is booked in this tick, and the batches' eighth.
 * </ul>
 *
 * <p>Between what a caller was told and its draw, another thread may draw, and the tick may end. Then a caller finds fewer numbers
 * than it was told, and books again.
 *
 * <p>Where a tick holds fewer than {@value #PARTS} numbers, as with muid, nothing is shared: everybody asks when the next tick
 * comes.
 *
 * <p>How much a tick holds may change from one call to the next. Where it becomes less, callers may find nothing in a turn that
 * was booked before, and book another.
 */
public final class Turns {
    /** Of a generator that has nothing to share. */
    static final Turns NONE = new Turns(tick -> 0, () -> 0);

    static final int PARTS = 8;
    static final int LINGER_TICKS = 16;
    static final int MOST_BATCHES = 256; // whose turn is in the same tick, so that no tick wakes too many

    private final LongToIntFunction capacity; // of a tick; takes no lock
    private final LongSupplier clock;
    private final Lane singles = new Lane();
    private final Lane batches = new Lane();
    private long lastNow = Long.MIN_VALUE; // the highest tick that the clock has read under the lock
    private long singlesThrough = Long.MIN_VALUE; // the last tick in which batches leave a part for singles
    private long grantedTick = Long.MIN_VALUE;
    private int granted; // how many numbers of that tick batches were told to ask for, and did not miss
    private int grantedSurely; // how many of these in any case
    private volatile boolean quiet = true;

    /** {@code capacity} is how many numbers a tick holds; {@code clock} reads the tick. */
    Turns(int capacity, LongSupplier clock) {
        this(tick -> capacity, clock);
    }

    private Turns(LongToIntFunction capacity, LongSupplier clock) {
        this.capacity = capacity;
        this.clock = clock;
    }

    /**
     * The turns of all slots from which the callers of a source draw.
     *
     * @param source gives what serves at the moment, such as a {@link Spread}; where nothing serves, a tick holds nothing
     * @param unit the scheme's, of which {@code clock} reads the ticks
     */
    public static Turns over(TenureSource<? extends Generator> source, TickUnit unit, Clock clock) {
        return new Turns(tick -> capacity(source, tick), () -> unit.tickAt(clock.micros()));
    }

    private static int capacity(TenureSource<? extends Generator> source, long tick) {
        try {
            return source.current().capacity(tick);
        } catch (FencedException e) {
            return 0;
        }
    }

    /** The part of what a tick holds that is for each kind in any case. */
    private static int part(int holds) {
        return holds / PARTS;
    }

    /** Whether everybody may ask for all that a tick holds without a turn: no single has waited lately, and no batch waits. */
    boolean quiet() {
        return quiet;
    }

    /** How many numbers of the tick a single leaves that has no turn: those that are booked, and the batches' eighth. */
    synchronized int leaveToOthers() {
        long now = look();
        settle(now);
        return singles.waiting(now) + batchesOwn(now, part(capacity.applyAsInt(now)));
    }

    /**
     * Books a turn of a single.
     *
     * @param due the first tick that may have numbers
     * @param latest the last tick for which the caller waits; when the turn is later, nothing is booked
     * @param missed whether the single has had a turn and others were faster: then its turn is {@code due}, whoever else has it
     */
    Turn single(long due, long latest, boolean missed) {
        int holds = capacity.applyAsInt(due);
        return part(holds) == 0
                ? new Turn(this, due, Turn.Kind.UNSHARED)
                : bookedSingle(due, latest, missed, holds - part(holds));
    }

    private synchronized Turn bookedSingle(long due, long latest, boolean missed, int most) {
        long now = look();
        long tick = missed ? due : singles.next(due, now, most);
        if (tick <= latest) {
            singles.book(tick);
            singlesThrough = Math.max(singlesThrough, tick + LINGER_TICKS);
            quiet = false;
        }
        return new Turn(this, tick, Turn.Kind.SINGLE);
    }

    /** Books a turn of a batch; {@code due} and {@code latest} as in {@link #single}. */
    Turn batch(long due, long latest) {
        int holds = capacity.applyAsInt(due);
        return part(holds) == 0 ? new Turn(this, due, Turn.Kind.UNSHARED) : bookedBatch(due, latest, holds);
    }

    private synchronized Turn bookedBatch(long due, long latest, int holds) {
        long now = look();
        int most = Math.min(part(holds), MOST_BATCHES);
        boolean begun = due == grantedTick; // what is left when all others have had their turn is for whoever comes
        boolean lasts = begun && batches.waiting(due) == 0 && granted < limit(due, holds);
        long tick = lasts ? due : batches.next(begun ? due + 1 : due, now, most);
        if (tick <= latest) {
            batches.book(tick);
            quiet = false;
        }
        return new Turn(this, tick, Turn.Kind.BATCH);
    }

    /**
     * The tick now. Begins anew where the clock stepped back. The clock is read under the lock, so that a caller that was stopped
     * after it had read the clock itself looks like nothing of that kind; and a step of a few ticks is waited out.
     */
    private long look() {
        long now = clock.getAsLong();
        if (now + LINGER_TICKS < lastNow) {
            singles.forget();
            batches.forget();
            singlesThrough = Math.min(singlesThrough, now + LINGER_TICKS);
            grantedTick = Long.MIN_VALUE;
            lastNow = now;
        }
        lastNow = Math.max(lastNow, now);
        return now;
    }

    private void settle(long now) {
        quiet = batches.empty() && now > singlesThrough;
    }

    /** How many numbers of a tick batches may have together. */
    private int limit(long tick, int holds) {
        int part = part(holds);
        return tick <= singlesThrough ? Math.max(part, holds - part - singles.booked(tick)) : holds;
    }

    /** How many numbers of a tick nobody but batches may have, because they wait and have not been told to ask for them. */
    private int batchesOwn(long tick, int part) {
        return batches.empty() ? 0 : Math.max(0, tick == grantedTick ? part - grantedSurely : part);
    }

    /** What a turn may ask for now; nothing where batches have had all that is theirs. The turn of a batch ends with that. */
    synchronized Grant grant(Turn turn, int wanted) {
        long now = look();
        int holds = turn.kind() == Turn.Kind.UNSHARED ? 0 : capacity.applyAsInt(now);
        return switch (turn.kind()) {
            case SINGLE -> new Grant(now, 0, wanted, batchesOwn(now, part(holds)));
            case BATCH -> batchGrant(turn, wanted, now, holds);
            case UNSHARED -> Grant.unshared(wanted);
        };
    }

    /** Where a tick holds nothing to share any more, the generator tells what it has, or why nothing serves. */
    private Grant batchGrant(Turn turn, int wanted, long now, int holds) {
        batches.end(turn.tick(), now);
        settle(now);
        int part = part(holds);
        if (part == 0) {
            return Grant.unshared(wanted);
        }
        if (grantedTick != now) {
            grantedTick = now;
            granted = 0;
            grantedSurely = 0;
        }
        int callers = batches.waiting(now) + 1;
        int free = Math.max(0, limit(now, holds) - granted);
        int count = Math.min(wanted, Math.min(free, Math.max(1, free / callers)));
        int toCome = now <= singlesThrough ? part : 0;
        int leave = Math.min(holds - part, singles.waiting(now) + toCome);
        int own = Math.max(0, part - grantedSurely);
        int sure = leave == 0 ? count : Math.min(count, (own + callers - 1) / callers);
        granted += count;
        grantedSurely += sure;
        return new Grant(now, sure, count - sure, leave);
    }

    /** Takes back what a batch was told to ask for and did not find, so that other batches may ask for that. */
    synchronized void missed(Grant grant, int issued) {
        if (grant.tick() == grantedTick) {
            granted -= grant.count() - issued;
            grantedSurely -= Math.max(0, grant.sure() - issued);
        }
    }

    /**
     * What a draw asks the generator for.
     *
     * @param tick the tick now; {@link Long#MAX_VALUE} where nothing is shared, and nothing of a tick was told to be asked for
     * @param sure how many numbers it asks for in any case
     * @param more how many it asks for after these, where the tick holds more than {@code leave} numbers
     * @param leave how many numbers of the tick it leaves to others then
     */
    record Grant(long tick, int sure, int more, int leave) {

        /** All that the caller wants. */
        static Grant unshared(int wanted) {
            return new Grant(Long.MAX_VALUE, wanted, 0, 0);
        }

        /** How many IDs in all; 0 when the draw has to wait for the next tick. */
        int count() {
            return sure + more;
        }
    }

    /** Ends a turn that was booked, whatever became of it; a batch's once alone, here or by {@link #grant}. */
    synchronized void end(Turn turn) {
        if (turn.kind() != Turn.Kind.UNSHARED) {
            long now = look();
            (turn.kind() == Turn.Kind.SINGLE ? singles : batches).end(turn.tick(), now);
            settle(now);
        }
    }

    /**
     * The turns of one kind, tick after tick. Who waits for the next tick does not queue behind those who wait for a later one,
     * such as the first tick of a tenure: they queue apart. For holders of the lock.
     */
    private static final class Lane {
        private final Map<Long, Integer> waiting = new HashMap<>(); // how many have not ended their turn in a tick
        private long lastNear = Long.MIN_VALUE; // the last tick that was given to those who wait for the next one
        private long lastFar = Long.MIN_VALUE; // the last one that was given to others
        private long endedTick = Long.MIN_VALUE;
        private int ended; // how many turns of that tick have ended in it

        void forget() {
            lastNear = Long.MIN_VALUE;
            lastFar = Long.MIN_VALUE;
        }

        /** The first tick with a place, {@code due} or later, and none before the last one that was given to such callers. */
        long next(long due, long now, int most) {
            boolean near = due <= now + 1;
            long tick = Math.max(due, near ? lastNear : lastFar);
            while (booked(tick) >= most) {
                tick++;
            }
            if (near) {
                lastNear = tick;
            } else {
                lastFar = tick;
            }
            return tick;
        }

        void book(long tick) {
            waiting.merge(tick, 1, Integer::sum);
        }

        /** A turn that ends before its tick gives its place back. */
        void end(long tick, long now) {
            waiting.computeIfPresent(tick, (same, count) -> count == 1 ? null : count - 1);
            if (tick == now) {
                ended = endedTick == now ? ended + 1 : 1;
                endedTick = now;
            }
        }

        int waiting(long tick) {
            return waiting.getOrDefault(tick, 0);
        }

        int booked(long tick) {
            return waiting(tick) + (endedTick == tick ? ended : 0);
        }

        boolean empty() {
            return waiting.isEmpty();
        }
    }
}
