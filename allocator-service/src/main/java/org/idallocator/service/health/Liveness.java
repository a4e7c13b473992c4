package org.idallocator.service.health;

import com.codahale.metrics.health.HealthCheck;
import java.time.Duration;
import org.idallocator.service.draw.IdSource;

/**
 * Whether the process has to be ended, as it does not recover by itself: the thread that keeps the leases has died or hangs. An
 * outage of ZooKeeper is none of this, however long: the thread then asks again all the time.
 */
final class Liveness extends HealthCheck {
    /**
     * Longer than any step that ends. ZooKeeper's client gives up on an answer after 2/3 of the session timeout, and asks once
     * more after a reconnection of 2 s at most: less than 2 session timeouts and 3 s until a step fails, which it does with
     * the first call that fails. Between two steps lies a quarter of a session timeout at most.
     */
    private static final int LONGEST_STEP_SESSIONS = 6;

    /** At short session timeouts: a machine may be slow, and ending a process costs more than waiting. */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(60);

    private final IdSource source;
    private final Duration longest;

    Liveness(IdSource source, Duration sessionTimeout) {
        this.source = source;
        Duration sessions = sessionTimeout.multipliedBy(LONGEST_STEP_SESSIONS);
        this.longest = sessions.compareTo(LONGEST_STEP) > 0 ? sessions : LONGEST_STEP;
    }

    @Override
    protected Result check() {
        Duration since = source.sinceLastStep();
        return since.compareTo(longest) <= 0
                ? Result.healthy()
                : Result.unhealthy("the lease thread has done nothing for more than " + longest.toSeconds() + " s");
    }
}
