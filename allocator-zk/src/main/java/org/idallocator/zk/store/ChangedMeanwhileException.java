package org.idallocator.zk.store;

/** What was about to be written was not: somebody else has changed meanwhile what it depended on. */
public final class ChangedMeanwhileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ChangedMeanwhileException(String message) {
        super(message);
    }
}
