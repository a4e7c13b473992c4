package org.idallocator.dropwizard.health;

import com.codahale.metrics.health.HealthCheck.Result;
import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs when a check begins to pass, begins to fail, or fails at a higher level than before, as when a failure was
 * expected at first. Logs nothing while the check stays as it is, with one exception: a check that has not passed for
 * long since the start is logged once. Thread-safe.
 */
final class TransitionLog {
    /**
     * How long a check may fail after the start before that is logged: longer than slots cool where windows are as
     * usual, see {@link Terms#farthest}. Long windows are no reason to be silent for longer. Slots may cool for as long
     * as these, so an operator is told that nobody is served until then.
     */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Logger log;
    private final String state;
    private final Clock clock;
    private final long begunNanos;
    private boolean passing;
    private @Nullable Level lastLevel;

    /**
     * A log of whether a process is in a {@code state}, such as {@code ready}.
     *
     * @param passing whether the process counts as being in the state at first
     * @param clock tells how long the check has failed since the start
     */
    TransitionLog(Logger log, String state, boolean passing, Clock clock) {
        this.log = log;
        this.state = state;
        this.passing = passing;
        this.clock = clock;
        this.begunNanos = clock.nanos();
    }

    /** Logs the result of a check if it is a change; {@code failing} is the level for a result that does not pass. */
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
