package org.idallocator.service.problems;

import org.idallocator.service.health.FatalErrors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs why a request was refused: as an error where the program made a mistake, at debug where the refusal is an answer. */
public final class RefusedRequest {
    private static final Logger LOG = LoggerFactory.getLogger(RefusedRequest.class);
    private static final int FAILED = 500;

    private RefusedRequest() {}

    /** Logs the exception of a request; returns what to tell the caller. */
    public static Refusal because(Throwable error) {
        FatalErrors.endIfFatal(error);
        Refusal refusal = Refusal.of(error);
        if (refusal.problem().status() >= FAILED && !isState(refusal)) {
            LOG.error("A request failed", error);
        } else {
            LOG.debug("A request is refused: {}", refusal.problem().detail(), error);
        }
        return refusal;
    }

    /** Whether the refusal tells a state of the replica, which has a reason, or a time to ask again. */
    private static boolean isState(Refusal refusal) {
        return refusal.problem().reason() != null || refusal.retryAfter().isPresent();
    }
}
