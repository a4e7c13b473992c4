package org.idallocator.service.cli.terminal;

import java.io.IOException;

/** Whoever read standard output has enough, as {@code head} has after its lines: nothing is wrong, nothing is left to do. */
public final class ReaderGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReaderGoneException(IOException cause) {
        super("nobody reads standard output any more", cause, false, false);
    }
}
