package org.idallocator.service.draw;

/** Ends the draw of an answer that nobody will read. */
public final class CallerGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CallerGoneException() {
        super("the client closed its connection before the IDs were drawn");
    }
}
