package org.idallocator.service.cli;

/** The command failed and has said why: all that is left is its status. */
final class SaidException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SaidException() {
        super("see above", null, false, false);
    }
}
