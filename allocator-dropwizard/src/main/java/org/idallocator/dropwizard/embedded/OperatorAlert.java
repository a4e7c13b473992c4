package org.idallocator.dropwizard.embedded;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Says what a person has to see to, because IDs may come twice otherwise. */
final class OperatorAlert {
    private OperatorAlert() {}

    /**
     * Says it in the log, where an operator of a service looks and alerts read, and on standard error as well: a
     * command logs nothing, and what a process logs right before it ends may be lost.
     */
    static void raise(Logger log, Level level, String message) {
        log.atLevel(level).log(message);
        System.err.println(message);
    }
}
