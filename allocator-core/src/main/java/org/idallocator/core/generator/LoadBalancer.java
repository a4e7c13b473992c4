package org.idallocator.core.generator;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.Bounds;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdReader;
import org.idallocator.core.id.IdSink;
import org.jspecify.annotations.Nullable;

/**
 * Several slots of one scheme as one generator, each with a generator and a fence of its own. A caller waits for the
 * next tick only when all of them are used up. Where some are fenced, the others go on. Thread-safe.
 *
 * <p><b>Uniqueness</b> is the slots' own: a load balancer keeps nothing that tells IDs apart. It decides only who is
 * asked. A caller that draws from an outdated one gets what its slots may still issue, or a {@link FencedException}.
 *
 * <p><b>Order.</b> The IDs of one slot come in that slot's order. The IDs of several slots are in no common sequence,
 * not even within a batch. An object of a transaction comes from the slot of its transaction.
 *
 * <p><b>Who draws where.</b> Threads begin at different slots, so that they seldom meet in one compare-and-set. From
 * there they go round. Each slot keeps a part for others. A draw of one ID first asks where threads of the same stripe
 * last found numbers, and goes round when that slot's tick is used up or not begun.
 */
public final class LoadBalancer implements Generator {
    private static final int STRIPES = 16; // a power of two

    private final Generator[] slots;

    /**
     * The slot that last gave a thread of this stripe something: only a hint, so it is read and written without order.
     */
    private final AtomicIntegerArray found = new AtomicIntegerArray(STRIPES);

    /** Throws {@link IllegalArgumentException} for no slots. */
    public LoadBalancer(List<? extends Generator> slots) {
        this.slots = slots.toArray(Generator[]::new);
        var unused = Bounds.require("slots", slots.size(), 1, Integer.MAX_VALUE);
        for (int stripe = 0; stripe < STRIPES; stripe++) {
            found.setPlain(stripe, stripe % this.slots.length);
        }
    }

    private static int stripe() {
        return (int) Thread.currentThread().getId() & STRIPES - 1;
    }

    @Override
    public <T extends Id> @Nullable T drawOne(Variant variant, IdReader<T> reader) {
        try {
            return slots[found.getPlain(stripe())].drawOne(variant, reader);
        } catch (FencedException e) {
            return null; // another slot may serve: take asks them all
        }
    }

    /** Takes from the first slot that has something. */
    @Override
    public Taken take(int wanted, boolean keep) {
        Taken soonest = null;
        FencedException fenced = null;
        int stripe = stripe();
        for (int i = 0; i < slots.length; i++) {
            int slot = (stripe + i) % slots.length;
            try {
                Taken taken = slots[slot].take(wanted, keep);
                if (taken.count() > 0) {
                    found.setPlain(stripe, slot);
                    return taken;
                }
                soonest = soonest == null || taken.waitNanos() < soonest.waitNanos() ? taken : soonest;
            } catch (FencedException e) {
                fenced = fenced == null ? e : fenced;
            }
        }
        if (soonest == null) {
            throw Objects.requireNonNull(fenced);
        }
        return soonest;
    }

    @Override
    public int emit(Taken taken, int count, Variant variant, IdSink sink) {
        return taken.emit(count, variant, sink);
    }

    @Override
    public int numbers(int count, Variant variant) {
        return slots[0].numbers(count, variant);
    }

    /** What its slots have together. Slots that share nothing, as each tick of them holds too little, do not count. */
    @Override
    public int capacity(long tick) {
        return Arrays.stream(slots)
                .mapToInt(slot -> slot.capacity(tick))
                .filter(capacity -> capacity >= Line.SHARES)
                .sum();
    }

    /** The first of its slots' due ticks. */
    @Override
    public long dueTick(long now) {
        return Arrays.stream(slots).mapToLong(slot -> slot.dueTick(now)).min().orElseThrow();
    }

    /** Whether any of its slots has. */
    @Override
    public boolean hasIssued() {
        return Arrays.stream(slots).anyMatch(Generator::hasIssued);
    }

    /** Ends issuing on all of its slots. */
    @Override
    public long close() {
        return Arrays.stream(slots).mapToLong(Generator::close).max().orElseThrow();
    }
}
