package org.idallocator.zk.operator;

import org.idallocator.zk.store.StoreException;

/** ZooKeeper did not answer, or refused. Whether anything was changed is not certain, unless the message says so. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreachableException(RuntimeException cause) {
        this(String.valueOf(cause.getMessage()), cause);
    }

    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Whether ZooKeeper answers nothing at all, as a replica's own log tells. False: ZooKeeper has refused what was
     * asked.
     */
    public boolean unanswered() {
        return getCause() instanceof StoreException trouble && trouble.unanswered();
    }
}
