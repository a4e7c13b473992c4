package org.idallocator.bench;

/** The command line asks for what there is not. The message names that, and what is allowed. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public UsageException(String message) {
        super(message);
    }
}
