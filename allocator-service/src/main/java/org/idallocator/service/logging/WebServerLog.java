package org.idallocator.service.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Keeps what clients send out of the log: below INFO, the web server writes whole requests, and so the secrets in them. */
public final class WebServerLog {
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger(WebServerLog.class);
    private static final String LOGGER = "org.eclipse.jetty";

    private WebServerLog() {}

    /**
     * Raises the level of the web server's loggers to INFO where it is below that, and holds it there while that of the loggers above
     * changes. To be called once the configuration has set the levels; does nothing where Logback does not write the log.
     */
    public static void hold() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            hold(context);
        }
    }

    /** The same of the loggers of one context. */
    static void hold(LoggerContext context) {
        Logger all = context.getLogger(LOGGER);
        all.setLevel(all.getEffectiveLevel());
        context.getLoggerList().stream()
                .filter(logger -> isOfWebServer(logger.getName()))
                .filter(logger -> isTooLow(logger.getLevel()))
                .forEach(WebServerLog::raise);
    }

    private static void raise(Logger logger) {
        LOG.info(
                "{} logs at INFO, not {}: below that it writes the credentials of requests",
                logger.getName(),
                logger.getLevel());
        logger.setLevel(Level.INFO);
    }

    /**
     * Why a logger must not get a level; empty where it may.
     *
     * @param level null where the logger is to have that of the one above it
     * @param forATime whether the logger has that of the one above it afterwards
     */
    public static Optional<String> mistake(String logger, @Nullable Level level, boolean forATime) {
        return isOfWebServer(logger) && (level == null || forATime || isTooLow(level))
                ? Optional.of("logger " + logger
                        + " must come with INFO, WARN, ERROR or OFF, and without a duration: below INFO it"
                        + " writes the credentials of requests")
                : Optional.empty();
    }

    private static boolean isOfWebServer(String logger) {
        return (logger + ".").startsWith(LOGGER + ".");
    }

    private static boolean isTooLow(@Nullable Level level) {
        return level != null && !level.isGreaterOrEqual(Level.INFO);
    }
}
