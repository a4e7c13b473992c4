package org.idallocator.service.cli.terminal;

/** The command failed and has said why: all that is left is its status. */
public final class ReportedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ReportedException() {
        super("see above", null, false, false);
    }
}
