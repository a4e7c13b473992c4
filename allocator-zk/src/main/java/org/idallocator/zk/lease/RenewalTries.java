package org.idallocator.zk.lease;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.idallocator.zk.store.StoreException;

/**
 * The tries of the renewal that is due. It counts what became of each try, for each slot once, and knows until the
 * renewal is confirmed why an earlier try got no plain answer. A renewal counts as retried after a try without a plain
 * answer, and after one that ZooKeeper has refused because of some slot. Confined to the lease loop's thread.
 */
final class RenewalTries {
    private final Set<SlotKeeper> counted = new HashSet<>(); // those that the try under way was counted for
    private Optional<StoreException.Kind> trouble = Optional.empty();

    /** Counts the try as failed for this slot, unless it was counted for that already. */
    void countFailed(SlotKeeper keeper) {
        if (counted.add(keeper)) {
            keeper.countFailedRenewal();
        }
    }

    /**
     * Counts a renewal that ZooKeeper has confirmed, and tells of one that did not succeed at once, where the tenure
     * still serves.
     *
     * @param nanos how long after it was sent
     * @param wasRefused whether ZooKeeper has refused this try before, because of some slot
     */
    void countConfirmed(SlotKeeper keeper, long nanos, boolean wasRefused) {
        Tenure tenure = keeper.tenure().orElseThrow();
        boolean retried = wasRefused || trouble.isPresent();
        counted.add(keeper);
        keeper.countRenewal(nanos, retried);
        if (retried && tenure.fence().trippedFor() == null) {
            LeaseLog.renewed(tenure, trouble);
        }
    }

    /** Remembers why a try got no plain answer. */
    void noteTrouble(StoreException.Kind kind) {
        trouble = Optional.of(kind);
    }

    /** The try is over, whatever came of it: the next one is counted for each slot anew. */
    void endTry() {
        counted.clear();
    }

    /** What was not left out is confirmed: the next try is the first of another renewal. */
    void end() {
        counted.clear();
        trouble = Optional.empty();
    }
}
