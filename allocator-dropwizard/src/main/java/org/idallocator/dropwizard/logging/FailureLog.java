package org.idallocator.dropwizard.logging;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;

/**
 * Logs the failures of what is done again and again. The first failure of a kind is a warning; those that follow are
 * logged at debug, until the thing succeeds, or none of that kind has come for {@link #QUIET}. Where many ask for the
 * same thing, one caller's success says nothing of the next caller's, and so nobody tells it. A warning has its cause,
 * but for a state of the replica or of ZooKeeper, whose one line says all. Thread-safe.
 */
public final class FailureLog {
    /** A failure that comes after a longer silence of its kind is another incident. */
    static final Duration QUIET = Duration.ofMinutes(1);

    private final Logger log;
    private final Clock clock;
    private final Map<Object, Long> latestNanos = new ConcurrentHashMap<>();

    public FailureLog(Logger log) {
        this(log, Clock.system());
    }

    FailureLog(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
    }

    /** The one thing that is done has failed; {@code message} says what that means. */
    public void failed(String message, Throwable cause) {
        failed("", message, cause);
    }

    /**
     * What belongs to {@code subject} has failed, one of several; failures differ in their subjects, their reasons or
     * their classes.
     */
    public void failed(String subject, String message, Throwable cause) {
        Object why = cause instanceof FencedException fenced ? fenced.reason() : cause.getClass();
        long now = clock.nanos();
        Long before = latestNanos.put(List.of(subject, why), now);
        if (before != null && now - before <= QUIET.toNanos()) {
            log.debug("{}", message, cause);
        } else if (cause instanceof FencedException
                || cause instanceof OverCapacityException
                || cause instanceof UnreachableException) {
            log.warn("{}: {}", message, cause.getMessage());
        } else {
            log.warn("{}", message, cause);
        }
    }

    /** The thing has succeeded: its next failure is a first one. */
    public void succeeded() {
        latestNanos.clear();
    }
}
