package org.idallocator.dropwizard.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.EventArgUtil;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * Keeps strangers from filling the log. Most warnings of the web server and of Jersey are caused by clients, for
 * example when they go away. Without this filter, a few bytes of requests could cause thousands of lines, and all
 * threads would wait for the log. The first warning or error of a kind is logged as it is. Those that follow are
 * counted, and once a minute one line tells their number, until a minute had none. Other loggers, and lower levels, are
 * not filtered. Thread-safe; never waits.
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

    /**
     * The largest number of kinds. Beyond it, all kinds of a logger are one, because Jersey's messages may have a
     * client's text in them.
     */
    static final int MAX_KINDS = 100;

    private final org.slf4j.Logger log;
    private final Consumer<Runnable> inAMinute;

    /**
     * How many messages of each kind were kept from the log since its last line of that kind. A kind that has not come
     * for a minute is absent.
     */
    private final Map<Kind, Integer> repetitions = new ConcurrentHashMap<>();

    /**
     * A filter for the loggers of one context.
     *
     * @param log tells how many repetitions there were
     * @param inAMinute runs a task a minute later
     */
    RepetitionFilter(org.slf4j.Logger log, Consumer<Runnable> inAMinute) {
        this.log = log;
        this.inAMinute = inAMinute;
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
        Kind kind = kind(logger.getName(), String.valueOf(message), cause);
        int repeated = repetitions.merge(kind, 0, (before, none) -> before + 1);
        if (repeated > 0) {
            return FilterReply.DENY;
        }
        inAMinute.accept(() -> tell(kind));
        return FilterReply.NEUTRAL;
    }

    private Kind kind(String logger, String message, @Nullable Throwable thrown) {
        Kind kind = new Kind(logger, message, thrown == null ? null : thrown.getClass());
        boolean tooMany = repetitions.size() >= MAX_KINDS && !repetitions.containsKey(kind);
        return tooMany ? new Kind(logger, "other messages", null) : kind;
    }

    /** Logs how many messages of a kind came in the last minute; forgets the kind when there were none. */
    private void tell(Kind kind) {
        Integer more = repetitions.replace(kind, 0);
        if (more != null && more > 0) {
            log.warn("{} more in a minute from {}: {}", more, kind.logger(), kind.text());
        } else if (repetitions.remove(kind, 0)) {
            return; // the next one is a first one again
        }
        inAMinute.accept(() -> tell(kind));
    }
}
