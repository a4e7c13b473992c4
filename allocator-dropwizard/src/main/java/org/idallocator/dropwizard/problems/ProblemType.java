package org.idallocator.dropwizard.problems;

/**
 * The kinds of errors that the allocator itself tells over HTTP. Programs compare their URNs. The web server has kinds
 * of its own, one for each status.
 */
public enum ProblemType {
    BAD_REQUEST("bad-request", "Bad Request", 400),
    UNAUTHORIZED("unauthorized", "Unauthorized", 401),
    FORBIDDEN("forbidden", "Forbidden", 403),
    NOT_FOUND("not-found", "Not Found", 404),
    METHOD_NOT_ALLOWED("method-not-allowed", "Method Not Allowed", 405),
    NOT_ACCEPTABLE("not-acceptable", "Not Acceptable", 406),
    REQUEST_TIMEOUT("request-timeout", "Request Timeout", 408),
    CONFLICT("conflict", "Conflict", 409),
    TOO_FAR_AHEAD("too-far-ahead", "Too far ahead", 409),
    BODY_TOO_LARGE("request-entity-too-large", "Request Entity Too Large", 413),
    UNSUPPORTED_MEDIA_TYPE("unsupported-media-type", "Unsupported Media Type", 415),
    /** Has nginx's status. Read only by a client that has closed nothing but its sending side. */
    CLIENT_GONE("client-gone", "Client gone", 499),
    /** A mistake of the program. */
    INTERNAL_SERVER_ERROR("internal-server-error", "Internal Server Error", 500),
    BUSY("busy", "Busy", 503),
    OVER_CAPACITY("over-capacity", "Over capacity", 503),
    AHEAD("ahead", "Ahead", 503),
    FENCED("fenced", "Fenced", 503),
    NO_FREE_SLOT("no-free-slot", "No free slot", 503),
    CLOCK_SKEW("clock-skew", "Clock skew", 503),
    UNREACHABLE("unreachable", "ZooKeeper unreachable", 503);

    private final String code;
    private final String title;
    private final int status;

    ProblemType(String code, String title, int status) {
        this.code = code;
        this.title = title;
        this.status = status;
    }

    /** The URN of the kind, by which answers name it. */
    public String urn() {
        return Problem.TYPE_PREFIX + code;
    }

    /** The kind in two or three words. */
    public String title() {
        return title;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }
}
