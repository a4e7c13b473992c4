package org.idallocator.dropwizard.health;

import com.codahale.metrics.health.HealthCheck;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.IdSource;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Fails when the lease thread has died or hangs. The process must then be ended, because it does not recover by itself.
 * An outage of ZooKeeper, however long, does not fail the check, because the thread goes on asking.
 */
final class Liveness extends HealthCheck {
    /**
     * The bound on a step of the lease thread, in session timeouts; longer than any step that ends. ZooKeeper's client
     * waits 2/3 of a session timeout for an answer, and asks once more after it has reconnected, which takes 2 s at
     * most. A step ends with its first failed call, so it ends within 2 session timeouts and 3 s. Between two steps
     * lies a quarter of a session timeout at most.
     */
    private static final int LONGEST_STEP_SESSIONS = 6;

    /**
     * The least bound, for short session timeouts: a machine may be slow, and ending a process costs more than waiting.
     */
    private static final Duration LONGEST_STEP = Duration.ofSeconds(60);

    private final IdSource source;
    private final Duration longest;
    private final TransitionLog changes =
            new TransitionLog(LoggerFactory.getLogger(Liveness.class), "alive", true, Clock.system());

    Liveness(IdSource source, Duration sessionTimeout) {
        this.source = source;
        this.longest = Collections.max(List.of(LONGEST_STEP, sessionTimeout.multipliedBy(LONGEST_STEP_SESSIONS)));
    }

    @Override
    protected Result check() {
        Duration since = source.sinceLastStep();
        Result found = since.compareTo(longest) <= 0
                ? Result.healthy()
                : Result.unhealthy("the lease thread has done nothing for more than " + longest.toSeconds() + " s");
        changes.log(found, Level.ERROR);
        return found;
    }
}
