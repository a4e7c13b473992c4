package org.idallocator.zk.lease;

import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/** What ZooKeeper has answered to a {@link JointWrite}. */
sealed interface JointOutcome {

    /** All was applied. */
    record Applied(Outcome.Applied outcome) implements JointOutcome {}

    /** None of it was applied, nor ever will be, because of what was to be written on one slot. */
    sealed interface Refused extends JointOutcome {

        /** The index of the write on that slot. */
        int write();
    }

    /** {@code op} is the operation that did not fit what it found. */
    record Misfit(int write, Store.Op op) implements Refused {}

    /** {@code why} is {@code NO_PERMISSION}: ZooKeeper does not allow this client to write on the slot. */
    record Forbidden(int write, StoreException why) implements Refused {}
}
