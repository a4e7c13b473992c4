package org.idallocator.zk.lease;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.zk.store.Session;
import org.jspecify.annotations.Nullable;

/** The round of claims that somebody has under way, if any. Confined to the lease loop's thread. */
final class RoundUnderWay {
    private SlotClaims.@Nullable Round round;

    /** Whether a part of a round was done, and another is to come. */
    boolean isThere() {
        return round != null;
    }

    /** Gives the round up: what is claimed next is chosen anew. Nothing of it was claimed. */
    void drop() {
        round = null;
    }

    /**
     * Does the next part of the round, or the first of another where none is under way. Where it throws what a claim
     * throws, the round is given up.
     *
     * @param another makes a round
     * @return what came of each claim of the round, which is over then; empty where another part is to come
     */
    Optional<Map<SlotKeeper, ClaimResult>> advance(Supplier<SlotClaims.Round> another, Session session) {
        SlotClaims.Round now = round == null ? another.get() : round;
        round = null;
        now.advance(session);
        if (now.isDone()) {
            return Optional.of(now.results());
        }
        round = now;
        return Optional.empty();
    }
}
