package org.idallocator.zk.lease;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.znode.Slot;
import org.jspecify.annotations.Nullable;

/**
 * An operator's order to change the slots of a scheme for others, and what came of it. Another slot is claimed first, then callers
 * draw from it, and then the old one is released: so no caller finds nothing. The lease thread carries it out, one slot after the other;
 * whoever gave the order waits for it to be done, and any thread may refuse it.
 */
final class Rotation {
    private final SchemeSlots slots;
    private final Queue<SlotKeeper> left;
    private final List<Rotated> rotated = new CopyOnWriteArrayList<>();
    private final CompletableFuture<List<Rotated>> done = new CompletableFuture<>();
    private SlotClaims.@Nullable Round round; // for the first keeper that is left

    Rotation(SchemeSlots slots) {
        this.slots = slots;
        this.left = new ArrayDeque<>(slots.keepers());
    }

    /** Completes with the slots that were changed, or with why one was not. */
    CompletableFuture<List<Rotated>> done() {
        return done;
    }

    /** Whether it is known what came of the order. */
    boolean isDone() {
        return done.isDone();
    }

    /**
     * Does the next part of it. A slot that does not serve any more is left out: another one follows anyway. Where this throws what a claim
     * throws, the next part begins to claim anew.
     */
    void next(SlotClaims claims, SlotFiller filler, Session session) {
        if (rotated.isEmpty() && slots.tenures().isEmpty()) {
            slots.keepers().get(0).fenced().ifPresent(this::refuse);
            return;
        }
        if (left.removeIf(keeper -> keeper.tenure().isEmpty())) {
            round = null;
        }
        SlotKeeper keeper = left.peek();
        if (keeper == null) {
            done.complete(List.copyOf(rotated));
            return;
        }
        SlotClaims.Round now = round == null ? claims.begin(List.of(keeper)) : round;
        round = null;
        now.next(session);
        if (now.isDone()) {
            left.remove();
            change(keeper, Objects.requireNonNull(now.results().get(keeper)), filler);
        } else {
            round = now;
        }
    }

    private void change(SlotKeeper keeper, ClaimResult result, SlotFiller filler) {
        if (result instanceof ClaimResult.Claimed claimed) {
            String from = keeper.tenure().orElseThrow().slot().name();
            Slot to = claimed.tenure().slot();
            filler.swap(keeper, claimed.tenure(), FenceReason.RELEASED)
                    .ifPresentOrElse(
                            this::refuse,
                            () -> rotated.add(new Rotated(to.scheme().name(), from, to.name())));
        } else if (result instanceof ClaimResult.Refused refused) {
            refuse(refused.why());
        } else {
            refuse(FencedException.of(FenceReason.NO_FREE_SLOT, "another replica was faster"));
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
