package org.idallocator.dropwizard.http;

/** How large a request's body may be, on every port, and what is said of a larger one. */
public final class BodyLimit {
    /** In bytes. */
    public static final int BYTES = 8_192;

    /** What the client is told whose body has more. */
    public static final String EXCEEDED = "a body must be " + BYTES + " bytes at most";

    private BodyLimit() {}
}
