package org.idallocator.zk.lease;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.IncarnationWatch.RolledBackException;
import org.idallocator.zk.lease.SlotGroup.SlotKeeper;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;

/**
 * An operator's order to change the slots of a scheme for others, and what came of it. Another slot is claimed first, then callers
 * draw from it, and then the old one is released: so no caller finds nothing. The lease thread carries it out; whoever gave the order
 * waits for it to be done. Thread-safe.
 *
 * @param done completes with the slots that were changed, or with why one was not
 */
record Rotation(SlotGroup group, List<Rotated> rotated, CompletableFuture<List<Rotated>> done) {
    Rotation(SlotGroup group) {
        this(group, new CopyOnWriteArrayList<>(), new CompletableFuture<>());
    }

    /**
     * Changes one slot after the other, while the replica is open.
     *
     * @param replace changes one slot
     * @param between what is to be done after each slot: a claim takes long where ZooKeeper answers slowly
     * @throws RuntimeException what ends the step; the order is refused all the same
     */
    void carryOut(ServingState state, Function<SlotKeeper, Rotated> replace, Runnable between) {
        try {
            if (group.tenures().isEmpty()) {
                var unused = group.current(); // throws: why nothing serves
            }
            for (SlotKeeper keeper : group.keepers()) {
                state.requireOpen();
                if (keeper.tenure().isPresent()) { // else another slot follows anyway
                    rotated.add(replace.apply(keeper));
                    between.run();
                }
            }
            done.complete(List.copyOf(rotated));
        } catch (FencedException e) {
            refuse(e);
        } catch (StoreException e) {
            refuse(e.fenced());
            if (e.unanswered()) {
                throw e;
            }
        } catch (ChangedMeanwhileException e) {
            refuse(e.fenced());
        } catch (RolledBackException e) {
            refuse(e.refusal());
            throw e;
        } finally {
            refuse(FencedException.of(FenceReason.STARTING, "a step failed")); // unless it is known what came of it
        }
    }

    /** No further slot can be changed. Whoever gave the order is told which are changed all the same. */
    void refuse(FencedException why) {
        done.completeExceptionally(rotated.isEmpty() ? why : afterSome(why));
    }

    private FencedException afterSome(FencedException why) {
        String detail = why.getMessage() + "; changed before that: " + Rotated.inWords(rotated);
        return new FencedException(why.reason(), detail, why.retryAfter());
    }
}
