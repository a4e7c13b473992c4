package org.idallocator.dropwizard.ids;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ends the draw of an answer that nobody will read. */
public final class ClientGoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** {@code cause} is why the connection takes no more of the answer; null where the client closed it before. */
    ClientGoneException(@Nullable IOException cause) {
        super("the client closed its connection before it had the whole answer", cause);
    }
}
