package org.idallocator.zk.lease;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Logs failures of what is tried again by itself until it succeeds. The first failure of a kind is a warning, with its cause;
 * repetitions are logged at debug. Confined to one thread.
 */
final class FailureLog {
    private final Logger log;
    private final Map<Object, Object> known = new HashMap<>();

    FailureLog(Logger log) {
        this.log = log;
    }

    /** {@code subject} failed. The failure is a repetition if the subject's last one was of the same kind. */
    void failed(Object subject, Object kind, Throwable cause) {
        log.atLevel(isFirst(subject, kind) ? Level.WARN : Level.DEBUG)
                .setCause(cause)
                .log("{}: {}", subject, cause.getMessage());
    }

    /** {@code subject} waits because of a state that is no failure. */
    void waits(Object subject, Object kind, Throwable why) {
        log.atLevel(isFirst(subject, kind) ? Level.INFO : Level.DEBUG).log("{}: {}", subject, why.getMessage());
    }

    private boolean isFirst(Object subject, Object kind) {
        return !kind.equals(known.put(subject, kind));
    }

    /** Forgets the failures of {@code subject}, which has succeeded or is not tried any more. Its next failure is a first. */
    void forget(Object subject) {
        known.remove(subject);
    }
}
