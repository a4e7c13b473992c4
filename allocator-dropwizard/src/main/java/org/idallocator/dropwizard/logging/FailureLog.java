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
 * Logs failures of something that is done again and again. The first failure of a kind is a warning. Those that follow
 * are logged at debug, until the thing succeeds, or no failure of that kind has come for {@link #QUIET}. If many
 * callers do the same thing, one caller's success says nothing about the next, so do not report it. A warning has its
 * cause with stack trace, except for states of the replica or of ZooKeeper, whose message says everything. Thread-safe.
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

    /** The thing that this log is for has failed; {@code message} says what that means. */
    public void failed(String message, Throwable cause) {
        failed("", message, cause);
    }

    /**
     * One of several things has failed: the one of {@code subject}. Failures are of one kind when subject and reason,
     * or class of exception, are equal.
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

    /** The thing has succeeded, so its next failure is a first one. */
    public void succeeded() {
        latestNanos.clear();
    }
}
