package org.idallocator.dropwizard.http;

/** How large the body of a request may be on every port, and what a client is told whose body is larger. */
public final class BodyLimit {
    /** The largest size in bytes, inclusive. */
    public static final int BYTES = 8_192;

    /** What a client is told whose body is larger. */
    public static final String EXCEEDED = "a body must be " + BYTES + " bytes at most";

    private BodyLimit() {}
}
