package org.idallocator.zk.lease;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.idallocator.core.fence.FencedException;

/**
 * One order to change the slots of a scheme for others, and what came of it. The lease thread fills it; whoever gave the order
 * waits for {@link #done}. Thread-safe.
 */
final class Rotation {
    private final SlotGroup group;
    private final List<Rotated> rotated = new CopyOnWriteArrayList<>();
    private final CompletableFuture<List<Rotated>> done = new CompletableFuture<>();

    Rotation(SlotGroup group) {
        this.group = group;
    }

    SlotGroup group() {
        return group;
    }

    /** One slot was changed. */
    void add(Rotated one) {
        rotated.add(one);
    }

    /** All slots were changed. */
    void end() {
        done.complete(List.copyOf(rotated));
    }

    /** No further slot can be changed. Whoever gave the order is told which are changed all the same. */
    void refuse(FencedException why) {
        done.completeExceptionally(rotated.isEmpty() ? why : afterSome(why));
    }

    private FencedException afterSome(FencedException why) {
        String detail = why.getMessage() + "; changed before that: " + Rotated.inWords(rotated);
        return new FencedException(why.reason(), detail, why.retryAfter());
    }

    /** Completes with the slots that were changed, or with why one was not. */
    CompletableFuture<List<Rotated>> done() {
        return done;
    }
}
