package org.idallocator.core.generator;

import java.util.concurrent.atomic.AtomicLong;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Bounds;

/**
 * Keeps the IDs of one tenure apart: hands out each (tick, toggle, number) at most once, whatever the threads and the
 * clock do. What it hands out in one step may be shared among callers: there {@link Line} keeps IDs apart, too, and
 * gives each number to one of them. Thread-safe; lock-free unless the clock steps back under tick-tock.
 *
 * <pre>
 *  63        62 ...                                                    0
 *  +--------+------------------+--------+--------------+----------------+
 *  | closed | tick             | toggle | first number | numbers used   |
 *  +--------+------------------+--------+--------------+----------------+
 *             tickBits           1        0 or 10        1 to 17 bits
 * </pre>
 *
 * <p><b>Why one word.</b> The state says which number was taken last. {@link #take} reads the word, computes its
 * successor and swaps it in with one compare-and-set, so two threads can never both go from the same word. Every
 * successor either uses more of the same tick, or enters a (tick, toggle) that was never entered before; hence no word
 * ever comes back, a stalled thread's compare-and-set cannot succeed late (no ABA), and no number is taken twice.
 *
 * <p>The original sno keeps the time in one atomic and the sequence in another. Between its two steps, A moves the time
 * on to t+1 but has not reset the sequence yet; B sees t+1 as current and takes the next number n of the old count; A
 * resets the count; a third thread counts up to n again in t+1: the same ID twice (830 times in 128 million IDs under
 * contention). With one word there is no between.
 *
 * <p><b>Tick-tock.</b> A clock that steps back from {@code high} to {@code now} toggles the bit and goes on at
 * {@code now}, provided {@code now > wallSafe}, the highest tick that was used under the other value of the bit;
 * {@code wallSafe} becomes {@code high}. Each value of the bit thus sees rising ticks only. {@code wallSafe} does not
 * fit the word. It is read and written under a lock together with the compare-and-set that steps back, so it always
 * belongs to the toggle in the word; threads that go forward neither read nor change it, and take no lock.
 *
 * <p><b>Bounds.</b> The fence is asked before the compare-and-set about the latest tick that could be taken, so a clock
 * that jumps far ahead is refused without moving the state there. Its ceiling never exceeds the time field.
 *
 * <p><b>Closing.</b> {@link #close} swaps in a word that nothing goes on from. A call of {@link #take} therefore either
 * succeeded before, and is counted in the highest tick that close returns, or fails. Without it, a thread stopped
 * between the fence and its compare-and-set could take a tick after an orderly release had given that tick away.
 *
 * <p><b>One number.</b> {@link #takeOne} is the way of nearly every draw. The wall time of a sample is enough for it,
 * which is wrong in the millisecond after the wall clock has jumped:
 *
 * <ul>
 *   <li>Wall time only decides whether it takes. What it takes is the next number of the tick in the word, by the same
 *       compare-and-set. So each number that it takes is one that {@link #take} would take if the clock read that tick,
 *       and nothing that keeps numbers apart depends on what a clock reads. It enters no tick, steps back to none, and
 *       never takes from a tick that nobody has taken from yet. So {@code wallSafe} and what {@link #close} returns
 *       stay right, although it takes no lock.
 *   <li>The fence is asked about the word's tick on every try, after its clock was read and before the compare-and-set,
 *       as in {@code take}. A thread may stop between the two in both, and then takes what it asked for after the
 *       deadline: one number here, up to a tick's there. That is harmless: up to the ceiling the ticks are this
 *       tenure's for ever, a later tenure begins above the ceiling, and where a release sets the ceiling down, it has
 *       closed the sequence before, and the compare-and-set fails.
 * </ul>
 */
final class TickSequence {
    /** No word: the highest bit is that of a closed sequence. */
    static final long NOT_NOW = Long.MIN_VALUE;

    private static final long CLOSED = Long.MIN_VALUE;

    /**
     * So often a thread pauses whose swap failed: the others draw some numbers each meanwhile, in place of meeting at
     * every one.
     */
    private static final int PAUSES = 32;

    private final SequenceShape shape;
    private final Clock clock;
    private final Fence fence;
    private final int startShift;
    private final int toggleShift;
    private final int tickShift;
    private final int startMask;
    private final int usedMask;
    private final int capacity;
    private final long epochMicros;
    private final long tickMicros;
    private final long firstWord; // comes back only where nothing was taken of it
    private final AtomicLong state;
    private final Object steppingBack = new Object();
    private long wallSafe; // guarded by steppingBack
    private long stepsBack; // guarded by steppingBack
    private long lastWord; // guarded by steppingBack; set by close

    /** Starts on an unused tick, the fence's floor. {@code start} is the first number where the shape continues. */
    TickSequence(SequenceShape shape, Fence fence, int start) {
        this(shape, fence, start, new Snapshot(fence.floorTick(), 0, fence.floorTick() - 1, 0));
    }

    /** Goes on from a snapshot. Where the fence begins later, it starts on the fence's floor, which is unused. */
    TickSequence(SequenceShape shape, Fence fence, int start, Snapshot from) {
        this.shape = shape;
        this.clock = fence.clock();
        this.fence = fence;
        startShift = shape.usedBits();
        toggleShift = startShift + shape.startBits();
        tickShift = toggleShift + 1;
        if (shape.capacity() < 1
                || shape.capacity() > 65_536
                || tickShift + shape.unit().bits() > 63) {
            throw new IllegalArgumentException("tick, toggle, start and used do not fit 63 bits: " + shape);
        }
        startMask = (1 << shape.startBits()) - 1;
        usedMask = (1 << shape.usedBits()) - 1;
        capacity = shape.capacity();
        epochMicros = shape.unit().epochMicros();
        tickMicros = shape.unit().tickMicros();
        wallSafe = from.wallSafe();
        stepsBack = from.stepsBack();
        int toggle = (int) (stepsBack & 1);
        boolean past = from.tick() < fence.floorTick();
        firstWord = past ? word(fence.floorTick(), toggle, start, 0) : word(from.tick(), toggle, start, from.used());
        state = new AtomicLong(firstWord);
    }

    /** How many numbers a tick has. */
    int capacity() {
        return capacity;
    }

    /**
     * The same, but none below the floor, once the fence has tripped, and after {@link #close}. A fence that is overdue
     * trips.
     */
    int capacity(long tick) {
        return tick < fence.floorTick() || state.get() == CLOSED || fence.tripIfOverdue() != null ? 0 : capacity;
    }

    /**
     * Takes up to {@code wanted} sequence numbers, all in one step.
     *
     * <p>The clock is read after the state: a reading behind the state then means that the clock stepped back, not that
     * another thread with a later reading was faster.
     *
     * @param wanted 1 or more
     * @param leave how many numbers of the tick to leave to others, 0 or more. This only lowers how many one step
     *     takes: where it would take none, it takes none. A clock that stepped back may have toggled before, as
     *     whenever it is asked. What is left is not promised to anybody
     * @throws IllegalArgumentException for fewer, which would give numbers back, or take some that the tick does not
     *     have
     * @throws FencedException when the tick may not be issued, or after {@link #close}
     */
    Taken take(int wanted, int leave) {
        Bounds.count(wanted);
        Bounds.require("leave", leave, 0, Integer.MAX_VALUE);
        while (true) {
            long seen = open(state.get());
            long micros = clock.micros();
            long now = shape.unit().tickAt(micros);
            fence.check(Math.max(now, tick(seen)));
            if (now < tick(seen) && (shape.tickTocks() || used(seen) == 0)) {
                if (stepBack(seen, now)) {
                    continue;
                }
                return none(seen, resumeTick(seen), wanted, micros, now);
            }
            long base = now > tick(seen) ? entered(seen, now, wanted) : seen;
            int room = capacity - used(base) - leave;
            if (room <= 0) {
                return none(seen, tick(base) + 1, wanted, micros, now);
            }
            long next = shape.ticksAtOnce() > 1 ? spanned(base, now, wanted) : base + Math.min(wanted, room);
            if (state.compareAndSet(seen, next)) {
                return taken(base, next, micros, now);
            }
        }
    }

    /**
     * Takes one number of the tick in use where the recent time is in that tick; the page says why that is enough.
     *
     * @return the word before, which {@link #tick}, {@link #toggle} and {@link #number} read; {@link #NOT_NOW} where
     *     only {@code take} can tell what to do, because the tick is another, used up or not used yet, or because the
     *     sequence is closed
     * @throws FencedException when the tick may not be issued
     */
    long takeOne() {
        while (true) {
            long nanos = clock.nanos();
            long micros = clock.recentMicros(nanos);
            long seen = state.get();
            if (!goesOn(seen, micros)) {
                return NOT_NOW;
            }
            fence.check(tick(seen), nanos);
            if (state.compareAndSet(seen, seen + 1)) {
                return seen;
            }
            for (int i = 0; i < PAUSES; i++) {
                Thread.onSpinWait();
            }
        }
    }

    private boolean goesOn(long seen, long recentMicros) {
        long inTick = recentMicros - (epochMicros + tick(seen) * tickMicros);
        int used = used(seen); // none of a closed sequence
        return inTick >= 0 && inTick < tickMicros && used > 0 && used < capacity;
    }

    /**
     * Where ticks are taken in one step, a caller lets as many go by as it wants, up to half of what one step takes,
     * because one wait for many costs less than a wait for each. The other half is for callers that wake up late.
     */
    private Taken none(long seen, long resumeTick, int wanted, long micros, long now) {
        int gathered = Math.max(1, Math.min(wanted, shape.ticksAtOnce() / 2));
        return Taken.none(shape.unit().nanosUntil(resumeTick + gathered - 1, micros), until(seen, resumeTick, now));
    }

    /**
     * A clock that nobody has put back reads the last tick taken from, or a later one: then the next one has numbers.
     * Before anything was taken it may read a tick below the floor.
     */
    private Taken.Until until(long seen, long resumeTick, long now) {
        if (now < fence.floorTick() && seen == firstWord) {
            return Taken.Until.FLOOR;
        }
        return resumeTick <= now + 1 ? Taken.Until.NEXT_TICK : Taken.Until.CLOCK_CATCHES_UP;
    }

    /** The word for a tick later than the one seen; where ticks are taken in one step, the first unused one. */
    private long entered(long seen, long now, int wanted) {
        if (shape.ticksAtOnce() > 1) {
            return word(enteredAtOnce(tick(seen) + used(seen), now, wanted), 0, 0, 0);
        }
        int start = shape.continues() ? (start(seen) + used(seen)) % shape.capacity() : 0;
        return word(now, toggle(seen), start, 0);
    }

    /**
     * The first of several ticks. While batches follow each other, it is the first unused one, so that a caller that
     * has overslept loses none. Otherwise it is as late as may be.
     */
    private long enteredAtOnce(long unused, long now, int wanted) {
        boolean lately = wanted > 1 && now - unused < shape.ticksAtOnce();
        return lately ? unused : Math.max(unused, now - Math.min(wanted, shape.ticksAtOnce()) + 1);
    }

    private long spanned(long base, long now, int wanted) {
        int ticks = Math.min(wanted, shape.ticksAtOnce());
        return word(Math.max(tick(base), Math.min(now, tick(base) + ticks - 1)), 0, 0, 1);
    }

    private Taken taken(long base, long next, long micros, long now) {
        int count = (int) (tick(next) - tick(base)) + used(next) - used(base);
        int first = (start(base) + used(base)) % shape.capacity();
        long waitNanos = shape.unit().nanosUntil(tick(next) + 1, micros);
        return new Taken(
                null, tick(base), tick(next), toggle(base), first, count, waitNanos, until(next, tick(next) + 1, now));
    }

    /** Enters an earlier tick on the other timeline. True when the caller must look at the state again. */
    private boolean stepBack(long seen, long now) {
        if (!shape.tickTocks()) {
            return false;
        }
        synchronized (steppingBack) {
            if (state.get() != seen) {
                return true;
            }
            if (now <= wallSafe || now < fence.floorTick()) {
                return false;
            }
            if (state.compareAndSet(seen, word(now, 1 - toggle(seen), 0, 0))) {
                wallSafe = Math.max(wallSafe, tick(seen) - (used(seen) == 0 ? 1 : 0));
                stepsBack++;
            }
            return true;
        }
    }

    /**
     * The tick from which on a clock that is behind gives numbers again: back on this timeline, or safely on the other.
     */
    private long resumeTick(long seen) {
        if (!shape.tickTocks()) {
            return here(seen);
        }
        synchronized (steppingBack) {
            long there = Math.max(fence.floorTick(), wallSafe + 1);
            return there < tick(seen) ? there : here(seen);
        }
    }

    /** The first tick with numbers left on this timeline. */
    private long here(long seen) {
        return tick(seen) + (used(seen) == shape.capacity() ? 1 : 0);
    }

    /**
     * The first tick from {@code now} on that gives something once the clock reads it; after closing, what it was then.
     * Before that tick, no more can be taken than is left of the tick in use. Holds the lock, so that wallSafe belongs
     * to the word.
     */
    long dueTick(long now) {
        synchronized (steppingBack) {
            long seen = lastOpen();
            return Math.max(now, now < tick(seen) ? resumeTick(seen) : here(seen));
        }
    }

    /** Whether anything was taken, of which a snapshot that this goes on from knows nothing. */
    boolean hasIssued() {
        synchronized (steppingBack) {
            return lastOpen() != firstWord;
        }
    }

    /** Ends taking. Returns the highest tick taken on either timeline, one below the start when there was none. */
    long close() {
        synchronized (steppingBack) {
            long last = state.getAndSet(CLOSED);
            if (last != CLOSED) {
                lastWord = last;
            }
            return Math.max(wallSafe, tick(lastWord) - (used(lastWord) == 0 ? 1 : 0));
        }
    }

    /** The state at one moment; after closing, the last. */
    Snapshot snapshot() {
        synchronized (steppingBack) {
            long seen = lastOpen();
            return new Snapshot(tick(seen), used(seen), wallSafe, stepsBack);
        }
    }

    /**
     * What a sequence can go on from.
     *
     * @param tick the tick in use
     * @param used how many of its numbers are taken, 0 to capacity
     * @param wallSafe the highest tick used under the other value of the toggle
     * @param stepsBack how often the clock stepped back; the lowest bit is the toggle
     */
    record Snapshot(long tick, int used, long wallSafe, long stepsBack) {}

    /** The word; once closed, the word before {@link #close}. For holders of the lock. */
    private long lastOpen() {
        long word = state.get();
        return word == CLOSED ? lastWord : word;
    }

    private long open(long word) {
        if (word == CLOSED) {
            throw fence.trip(FenceReason.RELEASED, "its generator is closed");
        }
        return word;
    }

    private long word(long tick, int toggle, int start, int used) {
        return tick << tickShift | (long) toggle << toggleShift | (long) start << startShift | used;
    }

    /** The tick of a word. */
    long tick(long word) {
        return word >>> tickShift;
    }

    /** The toggle of a word. */
    int toggle(long word) {
        return (int) (word >>> toggleShift) & 1;
    }

    /** The number that was taken from a word. */
    int number(long word) {
        return startMask != 0 ? (start(word) + used(word)) % capacity : used(word);
    }

    private int start(long word) {
        return (int) (word >>> startShift) & startMask;
    }

    private int used(long word) {
        return (int) word & usedMask;
    }
}
