package org.idallocator.dropwizard.health;

import com.codahale.metrics.health.HealthCheck.Result;
import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Tells in one line when a check passes that did not, or passes no more, also where that was expected before and is not
 * now; and nothing while that stays as it is, but once where a check has not passed for long since the start.
 * Thread-safe.
 */
final class TransitionLog {
    /** After a start, slots may have to cool, for 92 s at most. What takes longer than that, somebody has to end. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Logger log;
    private final String state;
    private final Clock clock;
    private final long begunNanos;
    private boolean passing;
    private @Nullable Level lastLevel;

    /**
     * A log that tells whether the process is in a {@code state}, in which it is {@code passing} at first, or is not.
     *
     * @param clock says for how long the check has not passed from the start
     */
    TransitionLog(Logger log, String state, boolean passing, Clock clock) {
        this.log = log;
        this.state = state;
        this.passing = passing;
        this.clock = clock;
        this.begunNanos = clock.nanos();
    }

    /** Tells what a check has found, if that is a change; {@code failing} is the level where it does not pass. */
    synchronized void log(Result found, Level failing) {
        boolean worse = lastLevel != null && !found.isHealthy() && failing.toInt() > lastLevel.toInt();
        boolean late = lastLevel == null && !found.isHealthy() && clock.nanos() - begunNanos >= PATIENCE.toNanos();
        if (found.isHealthy() == passing && !worse && !late) {
            return;
        }
        passing = found.isHealthy();
        lastLevel = passing ? Level.INFO : failing;
        if (passing) {
            log.info("{}", state);
        } else {
            log.atLevel(failing).log("not {}: {}", state, found.getMessage());
        }
    }
}
