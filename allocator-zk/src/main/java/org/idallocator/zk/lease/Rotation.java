package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.znode.Slot;

/**
 * An operator's order to change the slots of a scheme for others, and what came of it. Another slot is claimed first,
 * then callers draw from it, and then the old one is released: so no caller finds nothing. The lease thread carries it
 * out, one slot after the other; whoever gave the order waits for it to be done, and any thread may refuse it.
 */
final class Rotation {
    private final SchemeSlots slots;
    private final Map<SlotKeeper, Tenure> toChange = new LinkedHashMap<>();
    private final Set<Slot> changed = new HashSet<>(); // none of them is to be claimed again
    private final List<Rotated> rotated = new CopyOnWriteArrayList<>();
    private final CompletableFuture<List<Rotated>> done = new CompletableFuture<>();
    private final RoundUnderWay round = new RoundUnderWay(); // for the first that is to be changed
    private boolean begun;

    /** An order to change those of these slots that serve when it begins to be carried out. */
    Rotation(SchemeSlots slots) {
        this.slots = slots;
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
     * Does the next part of it. A tenure that does not serve any more is left out: another one follows anyway. Where
     * this throws what a claim throws, the next part begins to claim anew.
     */
    void advance(SlotClaims claims, SlotFiller filler, Session session) {
        if (!begun) {
            begun = true;
            slots.keepers().forEach(keeper -> keeper.tenure().ifPresent(serving -> toChange.put(keeper, serving)));
            if (toChange.isEmpty()) {
                slots.keepers().get(0).fenced().ifPresent(this::refuse);
                return;
            }
        }
        if (toChange.entrySet().removeIf(Rotation::isOver)) {
            round.drop();
        }
        Optional<SlotKeeper> keeper = toChange.keySet().stream().findFirst();
        if (keeper.isEmpty()) {
            done.complete(List.copyOf(rotated));
            return;
        }
        round.advance(() -> claims.newRound(keeper.get(), changed), session)
                .ifPresent(results -> change(keeper.get(), Objects.requireNonNull(results.get(keeper.get())), filler));
    }

    private static boolean isOver(Map.Entry<SlotKeeper, Tenure> serving) {
        return serving.getKey().tenure().filter(serving.getValue()::equals).isEmpty();
    }

    private void change(SlotKeeper keeper, ClaimResult result, SlotFiller filler) {
        if (result instanceof ClaimResult.Claimed claimed) {
            Slot from = Objects.requireNonNull(toChange.remove(keeper)).slot();
            Slot to = claimed.tenure().slot();
            changed.add(from);
            filler.letServe(keeper, claimed.tenure(), FenceReason.RELEASED)
                    .ifPresentOrElse(
                            this::refuse,
                            () -> rotated.add(new Rotated(to.scheme().name(), from.name(), to.name())));
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
