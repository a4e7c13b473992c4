package org.idallocator.zk.lease;

import java.util.Optional;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/** What ZooKeeper has answered to a {@link JointWrite}. */
sealed interface JointOutcome {

    /** All was applied. */
    record Applied(Outcome.Applied outcome) implements JointOutcome {}

    /**
     * None of it was applied, nor ever will be, because of what was to be written on one slot.
     *
     * @param write the index of the write on that slot
     * @param op the operation that did not fit, or is not allowed
     * @param forbidden {@code NO_PERMISSION} where it is not allowed; empty where it did not fit
     */
    record Refused(int write, Store.Op op, Optional<StoreException> forbidden) implements JointOutcome {}
}
