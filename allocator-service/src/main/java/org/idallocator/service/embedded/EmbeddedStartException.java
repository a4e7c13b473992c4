package org.idallocator.service.embedded;

/** The embedded ZooKeeper cannot start; the message says why and can stand alone. */
public class EmbeddedStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedStartException(String message, Throwable cause) {
        super(message, cause);
    }

    EmbeddedStartException(String message) {
        super(message);
    }
}
