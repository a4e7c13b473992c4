package org.idallocator.core.generator;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * Draws from several slots of one scheme, each with a generator and a fence of its own. A caller waits for the next tick only
 * when all of them are used up. Where some are fenced, the others go on. Thread-safe.
 *
 * <p><b>Uniqueness</b> is the slots' own: a spread keeps nothing that tells IDs apart. It decides only who is asked for how
 * many. So a caller that draws from an outdated spread, whatever has become of its slots, gets what these still may issue, and
 * else is told why they may not.
 *
 * <p><b>Order.</b> The IDs of one slot come in that slot's order. Those of several slots are not in one sequence, within a
 * batch as well. An object of a transaction comes from the slot of its transaction.
 *
 * <p><b>Who draws where.</b> Threads begin at different slots, so that they seldom meet in one compare-and-set. They go round
 * from there. What a draw leaves to others it leaves in the slots that it asks last. Where a thread found numbers, it asks next
 * time; with the slot's next tick it begins anew.
 */
public final class Spread implements Generator {
    private static final int STRIPES = 16; // a power of two

    private final Generator[] slots;
    private final Turns turns;

    /** The slot that last gave a thread of this stripe something: only a hint, so it is read and written without order. */
    private final AtomicIntegerArray found = new AtomicIntegerArray(STRIPES);

    /**
     * A spread over these slots.
     *
     * @param slots one or more
     * @param turns of whoever draws from these slots, and from those before and after them
     * @throws IllegalArgumentException for no slots
     */
    public Spread(List<? extends Generator> slots, Turns turns) {
        this.slots = slots.toArray(Generator[]::new);
        var unused = Bounds.require("slots", slots.size(), 1, Integer.MAX_VALUE);
        this.turns = turns;
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            found.setPlain(stripe, first(stripe));
        }
    }

    private static int stripe() {
        return (int) Thread.currentThread().getId() & STRIPES - 1;
    }

    private int first(int stripe) {
        return stripe % slots.length;
    }

    @Override
    public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            return slots[found.getPlain(stripe())].drawOne(variant, reader);
        } catch (FencedException e) {
            return null; // another slot may serve: draw asks them all
        }
    }

    @Override
    public Draw draw(int count, Variant variant, IdSink sink) {
        return draw(count, 0, variant, sink);
    }

    @Override
    public Draw draw(int count, int leave, Variant variant, IdSink sink) {
        int stripe = stripe();
        Round round = new Round(Count.require(count), variant, sink);
        if (Bounds.require("leave", leave, 0, Integer.MAX_VALUE) > 0) {
            round.leave(leave, room());
        }
        for (int i = 0; i < slots.length; i++) {
            int slot = (first(stripe) + i) % slots.length;
            if (round.completedBy(slots[slot])) {
                return complete(count, stripe, slot);
            }
        }
        Draw soonest = round.soonestOrThrow();
        return new Draw(count - round.left, soonest.waitNanos(), soonest.cooling());
    }

    private Draw complete(int count, int stripe, int slot) {
        if (found.getPlain(stripe) != slot) {
            found.setPlain(stripe, slot);
        }
        return Draw.all(count);
    }

    /** Throws why nothing serves, where all of its slots are fenced. */
    @Override
    public void requireServing() {
        FencedException fenced = null;
        for (Generator slot : slots) {
            try {
                slot.requireServing();
                return;
            } catch (FencedException e) {
                fenced = fenced == null ? e : fenced;
            }
        }
        throw Objects.requireNonNull(fenced);
    }

    @Override
    public Turns turns() {
        return turns;
    }

    /** Each of its slots gives a part of the IDs. */
    @Override
    public int ticksToGather(int count, Variant variant) {
        return slots[0].ticksToGather((count + slots.length - 1) / slots.length, variant);
    }

    /** What its slots have together. Slots that share nothing, as each tick of them holds too little, do not count. */
    @Override
    public int capacity(long tick) {
        int sum = 0;
        for (Generator slot : slots) {
            int capacity = slot.capacity(tick);
            sum += capacity < Turns.PARTS ? 0 : capacity;
        }
        return sum;
    }

    @Override
    public int room() {
        int sum = 0;
        for (Generator slot : slots) {
            sum += slot.room();
        }
        return sum;
    }

    /** The first of its slots' due ticks. */
    @Override
    public long dueTick(long now) {
        long due = Long.MAX_VALUE;
        for (Generator slot : slots) {
            due = Math.min(due, slot.dueTick(now));
        }
        return due;
    }

    /** Ends issuing on all of its slots. */
    @Override
    public long close() {
        long last = Long.MIN_VALUE;
        for (Generator slot : slots) {
            last = Math.max(last, slot.close());
        }
        return last;
    }

    /** One draw that asks slot after slot. It knows whether the sink has thrown: then the draw is over, whatever was thrown. */
    private static final class Round implements IdSink {
        private final Variant variant;
        private final IdSink sink;
        private int left;
        private int leave;
        private int room; // of all slots; counted only where some is to be left
        private @Nullable Draw soonest;
        private @Nullable FencedException fenced;
        private boolean underWay;

        Round(int count, Variant variant, IdSink sink) {
            this.left = count;
            this.variant = variant;
            this.sink = sink;
        }

        /** Leaves so many of the numbers that all slots have. */
        void leave(int toLeave, int roomOfAll) {
            leave = toLeave;
            room = roomOfAll;
        }

        /** What a slot has to leave: what the others do not. */
        private int leaveIn(Generator slot) {
            return leave == 0 ? 0 : Math.max(0, leave - Math.max(0, room - slot.room()));
        }

        @Override
        public void accept(long high, long low) {
            underWay = true;
            sink.accept(high, low);
            underWay = false;
        }

        /** Whether nothing is left to draw after this slot was asked for the rest. */
        boolean completedBy(Generator slot) {
            try {
                Draw draw = slot.draw(left, leaveIn(slot), variant, this);
                left -= draw.issued();
                room -= draw.issued();
                if (soonest == null || draw.waitNanos() < soonest.waitNanos()) {
                    soonest = draw;
                }
            } catch (FencedException e) {
                if (underWay) {
                    throw e;
                }
                fenced = fenced == null ? e : fenced;
            }
            return left == 0;
        }

        /** What is due first; throws why all slots are fenced, where they are. */
        Draw soonestOrThrow() {
            if (soonest == null) {
                throw Objects.requireNonNull(fenced);
            }
            return soonest;
        }
    }
}
