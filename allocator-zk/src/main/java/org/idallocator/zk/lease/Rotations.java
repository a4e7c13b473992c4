package org.idallocator.zk.lease;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Session;

/**
 * Operators' orders to change slots, which are carried out one after the other. {@link #add} and {@link #refuseAll} may
 * be called from any thread; the lease loop's thread carries them out.
 */
final class Rotations {
    private final SlotClaims claims;
    private final SlotFiller filler;
    private final ServingState state;
    private final Queue<Rotation> waiting = new ConcurrentLinkedQueue<>();

    /**
     * Has no order.
     *
     * @param claims claims the slots that take the places of others
     * @param filler lets callers draw from them
     * @param state whether this replica serves, and may be given orders
     */
    Rotations(SlotClaims claims, SlotFiller filler, ServingState state) {
        this.claims = claims;
        this.filler = filler;
        this.state = state;
    }

    /**
     * Takes an order. Refuses it at once where this replica does not serve: then nobody may look at what waits any
     * more.
     */
    void add(Rotation rotation) {
        waiting.add(rotation);
        state.refusal().ifPresent(this::refuseAll);
    }

    /** How long {@link #carryOut} may wait; {@link Task#NEVER} where nobody has given an order. */
    long nanosUntilDue() {
        return waiting.isEmpty() ? Task.NEVER : 0;
    }

    /** Does the next part of the first order. */
    void carryOut(Session session) {
        Rotation next = waiting.peek();
        if (next != null) { // else it was refused meanwhile
            next.advance(claims, filler, session);
            if (next.isDone()) {
                waiting.remove(next);
            }
        }
    }

    /** Carries none of them out: whoever gave them is told why. */
    void refuseAll(FencedException why) {
        for (Rotation next = waiting.poll(); next != null; next = waiting.poll()) {
            next.refuse(why);
        }
    }
}
