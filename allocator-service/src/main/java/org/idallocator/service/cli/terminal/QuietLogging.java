package org.idallocator.service.cli.terminal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Keeps logs out of what a command prints: errors alone are left, and commands print those themselves. */
public final class QuietLogging {
    private QuietLogging() {}

    public static void start() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    }
}
