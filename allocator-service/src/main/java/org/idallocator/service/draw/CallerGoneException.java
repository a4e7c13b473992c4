package org.idallocator.service.draw;

import java.io.IOException;

/** Ends the draw of an answer that nobody will read. */
public final class CallerGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CallerGoneException() {
        super("the client closed its connection before the IDs were drawn");
    }

    /** The connection takes no more of the answer. */
    CallerGoneException(IOException cause) {
        super("the client's connection takes no more of the answer", cause);
    }
}
