package org.idallocator.service.failures;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs the failures of one thing that is done again and again: the first as a warning, those that follow it at debug, until the
 * thing succeeds. All are logged with their causes. Thread-safe.
 */
public final class FailureLog {
    private final Logger log;
    private final AtomicBoolean failing = new AtomicBoolean();

    public FailureLog(Logger log) {
        this.log = log;
    }

    /** The thing has failed; {@code message} says what that means. */
    public void failed(String message, Throwable cause) {
        boolean repeated = failing.getAndSet(true);
        log.atLevel(repeated ? Level.DEBUG : Level.WARN).setCause(cause).log(message);
    }

    /** The thing has succeeded: its next failure is a first one. */
    public void succeeded() {
        failing.set(false);
    }
}
