package org.idallocator.dropwizard.logging;

import java.time.Duration;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Warns of something that an operator has to end: at first, and then once a minute while it goes on. A warning has one
 * line; causes are logged at debug. Use {@link FailureLog} for what ends by itself. Thread-safe.
 */
public final class Reminder {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final Logger log;
    private final Clock clock;
    private @Nullable Long warnedNanos;

    public Reminder(Logger log) {
        this(log, Clock.system());
    }

    Reminder(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** The thing still goes on; {@code message} says all that an operator needs. */
    public synchronized void warn(String message, Throwable cause) {
        long now = clock.nanos();
        if (warnedNanos == null || now - warnedNanos >= INTERVAL.toNanos()) {
            warnedNanos = now;
            log.warn("{}", message);
        }
        log.debug("{}", message, cause);
    }
}
