package org.idallocator.service.embedded;

import org.slf4j.Logger;
import org.slf4j.event.Level;

/** Tells people what they have to know at once: in the log or, in a command, where nothing is logged, on standard error. */
final class Aloud {
    private Aloud() {}

    static void say(Logger log, Level level, String message) {
        if (log.isEnabledForLevel(level)) {
            log.atLevel(level).log(message);
        } else {
            System.err.println(message);
        }
    }
}
