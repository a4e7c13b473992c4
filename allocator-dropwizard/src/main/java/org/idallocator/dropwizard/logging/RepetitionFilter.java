package org.idallocator.dropwizard.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.EventArgUtil;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps strangers from filling the log. Most warnings of the web server and of Jersey are caused by clients, for
 * example when they go away. Without this filter, a few bytes of requests could cause thousands of lines, and all
 * threads would wait for the log. The first warning or error of a kind is logged as it is, and one line a minute tells
 * of its {@link Repetitions}. Other loggers, and lower levels, are not filtered. Thread-safe; never waits.
 */
public final class RepetitionFilter extends TurboFilter {
    /** The packages of loggers whose messages clients can cause. */
    private static final List<String> FRONT = List.of(
            "org.eclipse.jetty.",
            "org.glassfish.jersey.",
            "io.dropwizard.jersey.",
            "io.dropwizard.jetty.",
            "io.dropwizard.servlets.",
            "org.idallocator.dropwizard.problems.");

    private final Repetitions<Kind> repetitions;

    /**
     * A filter for the loggers of one context.
     *
     * @param log tells how many repetitions there were
     * @param inAMinute runs a task a minute later
     */
    RepetitionFilter(org.slf4j.Logger log, Consumer<Runnable> inAMinute) {
        repetitions = new Repetitions<>(
                inAMinute,
                (kind, more) -> log.warn("{} more in a minute from {}: {}", more, kind.logger(), kind.text()));
    }

    /**
     * A kind of message.
     *
     * @param logger the name of the logger
     * @param message the message without its arguments
     * @param thrown the class of the exception; null where there is none
     */
    private record Kind(
            String logger, String message, @Nullable Class<?> thrown) {
        String text() {
            return thrown == null ? message : message + " (" + thrown.getName() + ")";
        }
    }

    /** Filters the log of the process until logging is configured again, as a start of Dropwizard does. */
    public static void install() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.addTurboFilter(new RepetitionFilter(context.getLogger(RepetitionFilter.class), task -> {
            var unused = context.getScheduledExecutorService().schedule(task, 1, TimeUnit.MINUTES);
        }));
    }

    /**
     * Decides on a message. Logback also calls this to ask whether a level is enabled; then there is neither message
     * nor exception.
     */
    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String message,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        boolean logged = (message != null || thrown != null)
                && level.isGreaterOrEqual(Level.WARN)
                && level.isGreaterOrEqual(logger.getEffectiveLevel());
        if (!logged || FRONT.stream().noneMatch(logger.getName()::startsWith)) {
            return FilterReply.NEUTRAL;
        }
        Throwable cause = thrown == null ? EventArgUtil.extractThrowable(arguments) : thrown;
        Kind kind = new Kind(logger.getName(), String.valueOf(message), cause == null ? null : cause.getClass());
        // Jersey's messages may have a client's text in them.
        Kind other = new Kind(logger.getName(), "other messages", null);
        return repetitions.isFirst(kind, other) ? FilterReply.NEUTRAL : FilterReply.DENY;
    }
}
