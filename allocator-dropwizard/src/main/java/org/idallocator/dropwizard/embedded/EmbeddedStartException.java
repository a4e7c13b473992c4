package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import org.idallocator.dropwizard.logging.FileTrouble;

/** The embedded ZooKeeper cannot start. The message says why, and is all that an operator needs. */
public class EmbeddedStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedStartException(String message, Throwable cause) {
        super(message, cause);
    }

    EmbeddedStartException(String message) {
        super(message);
    }

    /** Something about the directory, or in it, is in the way. */
    static EmbeddedStartException unusable(DataDirectory directory, IOException why) {
        return new EmbeddedStartException(directory + " cannot be used: " + FileTrouble.inWords(why), why);
    }
}
