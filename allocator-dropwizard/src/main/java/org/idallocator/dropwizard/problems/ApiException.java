package org.idallocator.dropwizard.problems;

/** Refuses a request over HTTP. The message becomes the detail of the {@link Problem}. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ProblemType type;

    public ApiException(ProblemType type, String detail) {
        super(detail);
        this.type = type;
    }

    public ApiException(ProblemType type, String detail, Throwable cause) {
        super(detail, cause);
        this.type = type;
    }

    /** What kind of error this is. */
    public ProblemType type() {
        return type;
    }
}
