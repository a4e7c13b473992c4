package org.idallocator.service.failures;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs the failures of one thing that is done again and again, and that is well again for everybody once it succeeds. The first
 * failure of each class is a warning, and those that follow it are logged at debug, until the thing succeeds. Their
 * causes are logged as {@link FailureLine} does. Thread-safe.
 */
public final class RepeatedFailures {
    private final Logger log;
    private final Set<Class<?>> failing = ConcurrentHashMap.newKeySet();

    public RepeatedFailures(Logger log) {
        this.log = log;
    }

    /** The thing has failed; {@code message} says what that means. */
    public void failed(String message, Throwable cause) {
        boolean first = failing.add(cause.getClass());
        FailureLine.write(log, first ? Level.WARN : Level.DEBUG, message, cause);
    }

    /** The thing has succeeded: its next failure is a first one. */
    public void succeeded() {
        failing.clear();
    }
}
