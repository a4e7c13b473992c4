package org.idallocator.zk.lease;

import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.store.StoreException;

/**
 * Changes the slots of a scheme for others where an operator has asked for that. Another slot is claimed first, then callers draw
 * from it, and then the old one is released: so no caller finds nothing. Confined to the lease loop's thread.
 */
final class Rotator {
    private final Orders orders;
    private final SlotFiller filler;

    Rotator(Orders orders, SlotFiller filler) {
        this.orders = orders;
        this.filler = filler;
    }

    /**
     * Does all rotations that were asked for.
     *
     * @param between what is to be done after each slot: a claim takes long where ZooKeeper answers slowly
     * @return whether slots were changed
     * @throws StoreException {@code UNCERTAIN} or {@code REFUSED} when ZooKeeper does not answer; the rotation at hand is refused
     */
    boolean rotate(IncarnationWatch incarnation, Runnable between) {
        boolean changed = false;
        for (var next = orders.nextRotation(); next.isPresent(); next = orders.nextRotation()) {
            changed |= rotate(next.get(), incarnation, between);
        }
        return changed;
    }

    private boolean rotate(Rotation rotation, IncarnationWatch incarnation, Runnable between) {
        try {
            List<SlotKeeper> serving = rotation.group().serving();
            if (serving.isEmpty()) {
                var unused = rotation.group().current(); // throws: why nothing serves
            }
            for (SlotKeeper keeper : serving) {
                orders.gate().refusal().ifPresent(Rotator::raise);
                if (keeper.tenure().isPresent()) { // else it was lost meanwhile, and is followed by another slot anyway
                    rotation.add(filler.replace(keeper, incarnation));
                }
                between.run();
            }
            rotation.end();
            return true;
        } catch (FencedException e) {
            rotation.refuse(e);
        } catch (StoreException e) {
            rotation.refuse(Fencing.of(e));
            if (e.unanswered()) {
                throw e;
            }
        } catch (IncarnationWatch.RolledBackException e) {
            rotation.refuse(e.refusal());
            throw e;
        } catch (RuntimeException e) {
            rotation.refuse(Fencing.of(FenceReason.STARTING, String.valueOf(e.getMessage())));
            throw e;
        }
        return true; // some may have been changed
    }

    private static void raise(FencedException why) {
        throw why;
    }

    /** Refuses all rotations that wait: nothing can be changed now. */
    void refuse(FencedException why) {
        for (var next = orders.nextRotation(); next.isPresent(); next = orders.nextRotation()) {
            next.get().refuse(why);
        }
    }
}
