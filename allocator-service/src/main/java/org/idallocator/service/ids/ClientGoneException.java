package org.idallocator.service.ids;

import java.io.IOException;

/** Ends the draw of an answer that nobody will read. */
public final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClientGoneException() {
        super("the client closed its connection before the IDs were drawn");
    }

    /** The connection takes no more of the answer. */
    ClientGoneException(IOException cause) {
        super("the client's connection takes no more of the answer", cause);
    }
}
