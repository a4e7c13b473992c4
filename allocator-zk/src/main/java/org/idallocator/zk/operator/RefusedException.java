package org.idallocator.zk.operator;

/** What an operator asked for was not done, because it would harm or had no meaning; the message says why, and what would help. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
