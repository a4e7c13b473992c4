package org.idallocator.service.errors;

import org.idallocator.service.health.FatalErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the log of a request that failed: loudly where that is the program's own mistake, at debug where it is an answer. */
public final class RefusedRequest {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRequest.class);
    private static final int FAILED = 500;

    private RefusedRequest() {}

    /** What to tell the caller. */
    public static Refusal because(Throwable error) {
        FatalErrors.endIfFatal(error);
        Refusal refusal = Refusal.of(error);
        if (refusal.problem().status() >= FAILED && refusal.retryAfter().isEmpty()) {
            LOG.error("A request failed", error);
        } else {
            LOG.debug("A request is refused: {}", refusal.problem().detail(), error);
        }
        return refusal;
    }
}
