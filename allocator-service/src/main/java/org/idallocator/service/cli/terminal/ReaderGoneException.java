package org.idallocator.service.cli.terminal;

/** Whoever read standard output has enough, as {@code head} has after its lines: nothing is wrong, nothing is left to do. */
public final class ReaderGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ReaderGoneException() {
        super("nobody reads standard output any more", null, false, false);
    }
}
