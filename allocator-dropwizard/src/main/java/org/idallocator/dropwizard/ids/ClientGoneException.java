package org.idallocator.dropwizard.ids;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ends the draw of an answer that nobody will read. */
public final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@code cause} says why the connection takes no more of the answer; null when the client had closed it. */
    ClientGoneException(@Nullable IOException cause) {
        super("the client closed its connection before it had the whole answer", cause);
    }
}
