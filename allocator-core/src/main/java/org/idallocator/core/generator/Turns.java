package org.idallocator.core.generator;

import java.util.HashMap;
import java.util.Map;

/**
 * Who draws when, where callers want more numbers than a tick holds. Each generator has its own. Turns keep no IDs apart, and a
 * draw without a turn gives as good an ID: they only decide who asks the generator in which tick, and for how many. Thread-safe;
 * the lock is held for some instructions. Draws of one ID that need not wait never come here.
 *
 * <p>A <i>single</i> is a call for one ID; every other call is a <i>batch</i>. Whoever has to wait books a turn: a tick in which
 * there are numbers for the caller. Nobody wakes before, so that each tick wakes only those whom it can serve.
 *
 * <ul>
 *   <li>Singles get their turns in the order in which they came, up to seven eighths of each tick.
 *   <li>Batches get the first eighth of a tick in any case. All further numbers of the tick they take only while enough are left
 *       for the singles whose turn is in this tick, and an eighth of the tick for singles to come.
 *   <li>That eighth is left for as long as singles have waited in the last {@value #LINGER_TICKS} ticks. Otherwise batches take
 *       the whole tick.
 *   <li>Batches whose turn is in the same tick share what is theirs evenly.
 * </ul>
 *
 * <p>Where a tick holds fewer than {@value #PARTS} numbers, as with muid, nothing is shared: everybody asks when the next tick
 * comes.
 */
public final class Turns {
    /** Of a generator that has nothing to share. */
    static final Turns NONE = new Turns(0);

    static final int PARTS = 8;
    static final int LINGER_TICKS = 16;
    static final int MOST_BATCHES = 256; // whose turn is in the same tick, so that no tick wakes too many

    private final int capacity;
    private final int part;
    private final int batchesATick;
    private final Lane singles = new Lane();
    private final Lane batches = new Lane();
    private long singlesThrough = Long.MIN_VALUE; // the last tick in which batches leave a part for singles
    private long grantedTick = Long.MIN_VALUE;
    private int granted; // how many numbers of that tick batches were told to ask for
    private volatile boolean quiet = true;

    /** {@code capacity} is how many numbers a tick holds. */
    Turns(int capacity) {
        this.capacity = capacity;
        this.part = capacity / PARTS;
        this.batchesATick = Math.min(part, MOST_BATCHES);
    }

    /** Whether a batch may ask for all that a tick holds without a turn: no single has waited lately, and no batch waits. */
    boolean quiet() {
        return quiet;
    }

    /**
     * Books a turn of a single.
     *
     * @param due the first tick that may have numbers
     * @param latest the last tick for which the caller waits; when the turn is later, nothing is booked
     */
    Turn single(long due, long latest) {
        return part == 0 ? new Turn(this, due, Turn.Kind.UNSHARED) : bookedSingle(due, latest);
    }

    private synchronized Turn bookedSingle(long due, long latest) {
        lookAt(singles, due);
        long tick = singles.next(due, capacity - part);
        if (tick <= latest) {
            singles.book(tick);
            singlesThrough = Math.max(singlesThrough, tick + LINGER_TICKS);
            quiet = false;
        }
        return new Turn(this, tick, Turn.Kind.SINGLE);
    }

    /** Books a turn of a batch; {@code due} and {@code latest} as in {@link #single}. */
    Turn batch(long due, long latest) {
        return part == 0 ? new Turn(this, due, Turn.Kind.UNSHARED) : bookedBatch(due, latest);
    }

    private synchronized Turn bookedBatch(long due, long latest) {
        lookAt(batches, due);
        long tick = due == grantedTick ? whileTickLasts(due) : batches.next(due, batchesATick);
        if (tick <= latest) {
            batches.book(tick);
            quiet = false;
        }
        return new Turn(this, tick, Turn.Kind.BATCH);
    }

    /** What is left of a tick in which all others have had their turn is for whoever comes; else the next tick has places. */
    private long whileTickLasts(long due) {
        return batches.waiting(due) == 0 && granted < limit(due) ? due : batches.next(due + 1, batchesATick);
    }

    /** Begins anew where the clock stepped back; one tick back may be a thread that read the clock earlier. */
    private void lookAt(Lane lane, long due) {
        if (lane.steppedBack(due)) {
            singlesThrough = Math.min(singlesThrough, due + LINGER_TICKS);
            grantedTick = Long.MIN_VALUE;
        }
        lane.look(due);
    }

    /** How many numbers of a tick batches may have together. */
    private int limit(long tick) {
        return tick <= singlesThrough ? Math.max(part, capacity - part - singles.booked(tick)) : capacity;
    }

    /** What a turn may ask for in the tick {@code now}; nothing where batches have had all that is theirs. */
    Grant grant(Turn turn, int wanted, long now) {
        return turn.kind() == Turn.Kind.BATCH ? batchGrant(turn, wanted, now) : new Grant(wanted, 0);
    }

    private synchronized Grant batchGrant(Turn turn, int wanted, long now) {
        if (grantedTick < now) {
            grantedTick = now;
            granted = 0;
        }
        boolean shared = now <= singlesThrough;
        boolean sure = shared && granted < part;
        int callers = batches.waiting(now) + (turn.tick() == now ? 0 : 1);
        int evenly = Math.max(1, (limit(now) - granted) / callers);
        int count = Math.min(Math.min(wanted, limit(now) - granted), sure ? Math.min(evenly, part) : evenly);
        granted += Math.max(0, count);
        int toCome = shared && !sure ? part : 0;
        return new Grant(Math.max(0, count), Math.min(capacity - part, singles.waiting(now) + toCome));
    }

    /**
     * What a draw asks the generator for.
     *
     * @param count how many IDs, 0 when the draw has to wait for the next tick
     * @param leave how many numbers of the tick it leaves to others
     */
    record Grant(int count, int leave) {}

    /** Ends a turn that was booked, whatever became of it. */
    synchronized void end(Turn turn, long now) {
        switch (turn.kind()) {
            case SINGLE -> singles.end(turn.tick(), now);
            case BATCH -> {
                batches.end(turn.tick(), now);
                quiet = batches.empty() && now > singlesThrough;
            }
            case UNSHARED -> {}
        }
    }

    /** The turns of one kind, tick after tick. For holders of the lock. */
    private static final class Lane {
        private final Map<Long, Integer> waiting = new HashMap<>(); // how many have not ended their turn in a tick
        private long lastTick = Long.MIN_VALUE; // the last one that was booked
        private int inLast; // how many turns of that tick were booked
        private long lastDue = Long.MIN_VALUE;
        private long endedTick = Long.MIN_VALUE;
        private int ended; // how many turns of that tick have ended in it

        boolean steppedBack(long due) {
            return due + 1 < lastDue;
        }

        void look(long due) {
            if (steppedBack(due)) {
                lastTick = Long.MIN_VALUE;
            }
            lastDue = due;
        }

        /** The first tick with a place, {@code due} or later, and none before the last one that was booked. */
        long next(long due, int most) {
            if (lastTick < due) {
                return due;
            }
            return inLast < most ? lastTick : lastTick + 1;
        }

        void book(long tick) {
            if (lastTick <= tick) {
                inLast = lastTick == tick ? inLast + 1 : 1;
                lastTick = tick;
            }
            waiting.merge(tick, 1, Integer::sum);
        }

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
