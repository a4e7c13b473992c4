package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck.Result;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Tells in one line when a check passes that did not, or passes no more, and nothing while that stays as it is. Thread-safe. */
final class ChangeLog {
    private final Logger log;
    private final String state;
    private boolean passing;

    /** A log that tells whether the process is in a {@code state}, in which it is {@code passing} at first, or is not. */
    ChangeLog(Logger log, String state, boolean passing) {
        this.log = log;
        this.state = state;
        this.passing = passing;
    }

    /** Tells what a check has found, if that is a change; {@code failing} is the level where it does not pass. */
    synchronized void tell(Result found, Level failing) {
        if (found.isHealthy() == passing) {
            return;
        }
        passing = found.isHealthy();
        if (passing) {
            log.info("{}", state);
        } else {
            log.atLevel(failing).log("not {}: {}", state, found.getMessage());
        }
    }
}
