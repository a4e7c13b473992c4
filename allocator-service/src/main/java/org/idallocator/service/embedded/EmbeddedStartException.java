package org.idallocator.service.embedded;

/** The embedded ZooKeeper cannot start. The message says why, and is all that an operator needs. */
public class EmbeddedStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedStartException(String message, Throwable cause) {
        super(message, cause);
    }

    EmbeddedStartException(String message) {
        super(message);
    }
}
