package org.idallocator.dropwizard.embedded;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Alerts an operator to something that may cause equal IDs. */
final class OperatorAlert {
    private OperatorAlert() {}

    /**
     * Writes a message to the log, where operators and alarms read, and to standard error as well: a command has no
     * log, and what a process logs right before its end may be lost.
     */
    static void raise(Logger log, Level level, String message) {
        log.atLevel(level).log(message);
        System.err.println(message);
    }
}
