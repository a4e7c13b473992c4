package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;

/** What came of a try to claim a slot. */
sealed interface ClaimResult {
    /** The slot is this replica's, and nobody draws yet. */
    record Claimed(Tenure tenure) implements ClaimResult {}

    /** Somebody else was faster. */
    record Beaten() implements ClaimResult {}

    /**
     * No slot can be claimed now.
     *
     * @param why what callers are told
     * @param cause what the log tells
     */
    record Refused(FencedException why, RuntimeException cause) implements ClaimResult {

        static Refused of(FencedException why) {
            return new Refused(why, why);
        }

        static Refused of(ChangedMeanwhileException cause) {
            return new Refused(cause.fenced(), cause);
        }

        /** {@code answer} is what ZooKeeper has answered: without an answer, nothing is known of any slot. */
        static Refused of(StoreException answer) {
            return new Refused(answer.fenced(), answer);
        }
    }

    /**
     * Does a part of a claim that is about one scheme or slot alone.
     *
     * @return why that scheme or slot is refused, while the others are claimed all the same; empty where the part is
     *     done
     * @throws StoreException when ZooKeeper does not answer, which is about all of them; so is
     *     {@link NoneMayServeException}
     */
    static Optional<Refused> attempt(Runnable part) {
        try {
            part.run();
            return Optional.empty();
        } catch (FencedException e) {
            return Optional.of(Refused.of(e));
        } catch (ChangedMeanwhileException e) {
            return Optional.of(Refused.of(e));
        } catch (StoreException e) {
            if (e.unanswered()) {
                throw e;
            }
            return Optional.of(Refused.of(e));
        }
    }
}
