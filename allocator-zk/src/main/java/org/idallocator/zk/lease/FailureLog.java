package org.idallocator.zk.lease;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs what is tried again by itself until it succeeds: the first failure of a kind loudly, with its cause, repetitions at debug.
 * Confined to one thread.
 */
final class FailureLog {
    private final Logger log;
    private final Map<Object, Object> known = new HashMap<>();

    FailureLog(Logger log) {
        this.log = log;
    }

    /** {@code subject} failed; it is a repetition where its last failure was of the same kind. */
    void failed(Object subject, Object kind, Throwable cause) {
        log.atLevel(isFirst(subject, kind) ? Level.WARN : Level.DEBUG)
                .setCause(cause)
                .log("{}: {}", subject, cause.getMessage());
    }

    /** {@code subject} is kept from going on by a state that is no failure. */
    void waits(Object subject, Object kind, Throwable why) {
        log.atLevel(isFirst(subject, kind) ? Level.INFO : Level.DEBUG).log("{}: {}", subject, why.getMessage());
    }

    private boolean isFirst(Object subject, Object kind) {
        return !kind.equals(known.put(subject, kind));
    }

    /** {@code subject} has succeeded, or is not tried any more: its next failure is a first. */
    void over(Object subject) {
        known.remove(subject);
    }
}
