package org.idallocator.zk.operator;

/** A command did nothing, because it would do harm or has nothing to do. The message says why, and what would help. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
