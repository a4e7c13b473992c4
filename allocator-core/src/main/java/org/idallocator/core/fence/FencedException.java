package org.idallocator.core.fence;

import java.time.Duration;

/**
 * Thrown where nothing may be issued, with the reason and with the time after which asking again makes sense.
 *
 * <p>A fenced tenure or scheme keeps one exception, for thousands of calls a second to repeat. The kept exception has
 * no stack trace: its frames would be those of the thread that tripped the fence. Each caller of a draw gets a
 * {@link #forCaller copy} with the caller's frames. The copy takes some microseconds at the depth of an HTTP request. A
 * draw that succeeds pays nothing. Immutable but for the stack trace.
 */
public final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final Duration RETRY = Duration.ofSeconds(1);

    private final FenceReason reason;
    private final Duration retryAfter;

    /**
     * An exception to keep and to repeat, without a stack trace.
     *
     * @param detail the message: what happened and the way out, without a full stop
     * @param retryAfter after which time asking again makes sense, not negative
     */
    public FencedException(FenceReason reason, String detail, Duration retryAfter) {
        super(detail, null, false, false);
        this.reason = reason;
        this.retryAfter = retryAfter;
    }

    private FencedException(FencedException kept) {
        super(kept.getMessage());
        this.reason = kept.reason;
        this.retryAfter = kept.retryAfter;
    }

    /** The reason's sentence alone, and the hint to retry after one second. To keep and to repeat. */
    public static FencedException of(FenceReason reason) {
        return new FencedException(reason, reason.sentence(), RETRY);
    }

    /**
     * The reason's sentence with a detail in parentheses, and the hint to retry after one second. To keep and to
     * repeat.
     */
    public static FencedException of(FenceReason reason, String detail) {
        return of(reason, detail, RETRY);
    }

    /** The same, with how long the state will last as the hint. */
    public static FencedException of(FenceReason reason, String detail, Duration retryAfter) {
        return new FencedException(reason, reason.sentence() + " (" + detail + ")", retryAfter);
    }

    /** The same reason, message and hint, with the stack trace of the thread that calls this. */
    public FencedException forCaller() {
        return new FencedException(this);
    }

    public FenceReason reason() {
        return reason;
    }

    /**
     * After which time asking again makes sense: a hint, never negative. After {@link FenceReason#CLOSED} asking again
     * never makes sense; the hint then only slows down callers that ask all the same.
     */
    public Duration retryAfter() {
        return retryAfter;
    }
}
