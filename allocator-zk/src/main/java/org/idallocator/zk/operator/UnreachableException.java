package org.idallocator.zk.operator;

import org.idallocator.zk.store.StoreException;

/** ZooKeeper could not be asked, or refused to answer. Whether anything was changed is not certain, unless the message says so. */
public final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnreachableException(StoreException cause) {
        super(cause.getMessage(), cause);
    }
}
