package org.idallocator.zk.lease;

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

        /** The refusal that an exception is, which is about one scheme or slot; any other exception is thrown on. */
        static Refused of(RuntimeException e) {
            if (e instanceof FencedException fenced) {
                return new Refused(fenced, e);
            }
            if (e instanceof ChangedMeanwhileException changed) {
                return new Refused(changed.fenced(), e);
            }
            if (e instanceof StoreException answer && !answer.unanswered()) {
                return new Refused(answer.fenced(), e);
            }
            throw e;
        }
    }
}
