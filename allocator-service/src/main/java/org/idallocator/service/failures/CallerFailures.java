package org.idallocator.service.failures;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs the failures of what many callers ask for at the same time. The first failure of a kind is a warning, and those that
 * follow are logged at debug, until none of that kind has come for {@link #QUIET}. Their causes are logged as {@link FailureLine} does. A success
 * ends nothing: one caller's success says nothing of the next caller's. Thread-safe.
 */
public final class CallerFailures {

    /** A failure that comes after a longer silence of its kind is another incident. */
    static final Duration QUIET = Duration.ofMinutes(1);

    private final Logger log;
    private final Clock clock;
    private final Map<Kind, Long> latestNanos = new ConcurrentHashMap<>();

    public CallerFailures(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** A caller did not get what belongs to {@code subject}; {@code message} says what that means. */
    public void failed(String subject, String message, Throwable cause) {
        long now = clock.nanos();
        Long before = latestNanos.put(Kind.of(subject, cause), now);
        boolean first = before == null || now - before > QUIET.toNanos();
        FailureLine.write(log, first ? Level.WARN : Level.DEBUG, message, cause);
    }

    /** Failures of one subject that differ in nothing but their callers: {@code why} is a fence's reason, or a class. */
    private record Kind(String subject, Object why) {
        static Kind of(String subject, Throwable cause) {
            return new Kind(subject, cause instanceof FencedException fenced ? fenced.reason() : cause.getClass());
        }
    }
}
