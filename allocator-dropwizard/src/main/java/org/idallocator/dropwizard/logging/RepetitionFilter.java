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
 * Keeps strangers from filling the log. What the web server and Jersey warn of is mostly a client's doing, such as to
 * go away: without this, a few bytes of requests would be thousands of lines, and all threads would wait for the log.
 * The first warning or error of a kind is logged as it is. Those that follow are counted, and once a minute one line
 * tells how many they were, until a minute has had none. What other loggers say is left alone, and so is what is no
 * warning. Thread-safe; never waits.
 */
public final class RepetitionFilter extends TurboFilter {
    /** Where clients have a part in what is said, as packages. */
    private static final List<String> FRONT = List.of(
            "org.eclipse.jetty.",
            "org.glassfish.jersey.",
            "io.dropwizard.jersey.",
            "io.dropwizard.jetty.",
            "io.dropwizard.servlets.",
            "org.idallocator.dropwizard.problems.");

    /**
     * Jersey's messages may have a client's text in them, so that there is no end of kinds. Beyond these, a logger's
     * kinds are one.
     */
    static final int MAX_KINDS = 100;

    private final org.slf4j.Logger log;
    private final Consumer<Runnable> inAMinute;

    /**
     * How many of each kind were kept from the log since it had a line of that kind. What is not in here has not come
     * for a minute.
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
     * What is said again and again.
     *
     * @param logger who says it
     * @param message without its arguments
     * @param thrown the class of the exception; null where there is none
     */
    private record Kind(
            String logger, String message, @Nullable Class<?> thrown) {
        String text() {
            return thrown == null ? message : message + " (" + thrown.getName() + ")";
        }
    }

    /** Has the process's log filtered until logging is configured again, as a start of Dropwizard does. */
    public static void install() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.addTurboFilter(new RepetitionFilter(context.getLogger(RepetitionFilter.class), task -> {
            var unused = context.getScheduledExecutorService().schedule(task, 1, TimeUnit.MINUTES);
        }));
    }

    /** Is also asked whether a level is enabled; then there is neither a message nor an exception. */
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

    /** Tells what has come of a kind in the last minute; forgets the kind where that was nothing. */
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
