package org.idallocator.service.cli.terminal;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Turns logging off, so that nothing mixes with what a command prints. Commands print their failures themselves. */
public final class QuietLogging {
    private QuietLogging() {}

    public static void start() {
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
    }
}
