package org.idallocator.zk.store;

import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/** Nothing was written: somebody else has changed meanwhile what was read before. */
public final class ChangedMeanwhileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChangedMeanwhileException(String message) {
        super(message);
    }

    /** What callers are told while no tenure serves because of this. */
    public FencedException fenced() {
        return FencedException.of(FenceReason.STARTING, String.valueOf(getMessage()));
    }
}
