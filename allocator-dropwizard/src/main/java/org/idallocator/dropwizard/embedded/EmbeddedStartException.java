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

    /** The directory cannot be used for a reason of the file system. */
    static EmbeddedStartException unusable(DataDirectory directory, IOException why) {
        return new EmbeddedStartException(directory + " cannot be used: " + FileTrouble.inWords(why), why);
    }
}
