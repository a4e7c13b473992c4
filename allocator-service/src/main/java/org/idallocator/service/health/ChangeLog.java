package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck.Result;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Tells in one line when a check passes that did not, or passes no more, also where that was expected before and is not now; and nothing
 * while that stays as it is. Thread-safe.
 */
final class ChangeLog {
    private final Logger log;
    private final String state;
    private boolean passing;
    private @Nullable Level told;

    /** A log that tells whether the process is in a {@code state}, in which it is {@code passing} at first, or is not. */
    ChangeLog(Logger log, String state, boolean passing) {
        this.log = log;
        this.state = state;
        this.passing = passing;
    }

    /** Tells what a check has found, if that is a change; {@code failing} is the level where it does not pass. */
    synchronized void tell(Result found, Level failing) {
        boolean isWorse = told != null && !found.isHealthy() && failing.toInt() > told.toInt();
        if (found.isHealthy() == passing && !isWorse) {
            return;
        }
        passing = found.isHealthy();
        told = passing ? Level.INFO : failing;
        if (passing) {
            log.info("{}", state);
        } else {
            log.atLevel(failing).log("not {}: {}", state, found.getMessage());
        }
    }
}
