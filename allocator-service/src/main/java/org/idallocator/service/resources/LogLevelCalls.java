package org.idallocator.service.resources;

import ch.qos.logback.classic.Level;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.idallocator.service.logging.WebServerLog;
import org.idallocator.service.text.Quoted;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses calls of Dropwizard's task {@code log-level} that it would misread: it takes an unknown level for DEBUG, does nothing
 * without a logger, and fails at a duration that is none. Refuses as well what would write secrets into the log. Thread-safe.
 */
final class LogLevelCalls extends HttpFilter {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LogLevelCalls.class);

    static final String PATTERN = UnknownTasks.BEGINNING + "log-level";

    private static final Duration LONGEST = Duration.ofDays(365);

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<String> mistake = request.getMethod().equals("POST") ? mistake(request) : Optional.empty();
        if (mistake.isPresent()) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST, mistake.get());
        } else {
            chain.doFilter(request, response);
        }
    }

    private static Optional<String> mistake(HttpServletRequest request) {
        List<String> loggers = given(request, "logger");
        return Stream.of(
                        loggers.isEmpty() || loggers.stream().anyMatch(String::isBlank)
                                ? Optional.of(
                                        "logger must be the name of one, such as org.idallocator or ROOT: it is missing")
                                : Optional.<String>empty(),
                        bad(
                                request,
                                "level",
                                LogLevelCalls::isLevel,
                                "one of OFF, ERROR, WARN, INFO, DEBUG, TRACE, ALL"),
                        bad(request, "duration", LogLevelCalls::isDuration, "PT1S..P365D, such as PT10M"),
                        withoutLevel(request),
                        ofRoot(request, loggers),
                        ofWebServer(request, loggers))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> withoutLevel(HttpServletRequest request) {
        return given(request, "level").isEmpty() && !given(request, "duration").isEmpty()
                ? Optional.of("duration must come with a level, which holds for so long")
                : Optional.empty();
    }

    /** There is no logger above it, whose level it could have again. */
    private static Optional<String> ofRoot(HttpServletRequest request, List<String> loggers) {
        boolean kept =
                !given(request, "level").isEmpty() && given(request, "duration").isEmpty();
        return loggers.stream()
                .filter(logger -> logger.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME) && !kept)
                .findFirst()
                .map(root -> "logger " + root + " must come with a level and without a duration: no logger is above it,"
                        + " whose level it could have again");
    }

    private static Optional<String> ofWebServer(HttpServletRequest request, List<String> loggers) {
        Level level = given(request, "level").stream()
                .findFirst()
                .map(text -> Level.toLevel(text, null))
                .orElse(null);
        boolean forATime = !given(request, "duration").isEmpty();
        return loggers.stream()
                .flatMap(logger -> WebServerLog.mistake(logger, level, forATime).stream())
                .findFirst();
    }

    /** What is wrong with a parameter that may be left out, and may come once. */
    private static Optional<String> bad(
            HttpServletRequest request, String name, Predicate<String> allowed, String inWords) {
        List<String> values = given(request, name);
        return values.stream()
                .filter(value -> values.size() > 1 || !allowed.test(value))
                .findFirst()
                .map(value -> name + " must be " + inWords + ", once: " + Quoted.of(String.join(", ", values)));
    }

    private static List<String> given(HttpServletRequest request, String name) {
        return Stream.ofNullable(request.getParameterValues(name))
                .flatMap(Stream::of)
                .toList();
    }

    private static boolean isLevel(String text) {
        return Level.toLevel(text, null) != null;
    }

    private static boolean isDuration(String text) {
        try {
            Duration duration = Duration.parse(text);
            return duration.toSeconds() >= 1 && duration.compareTo(LONGEST) <= 0;
        } catch (DateTimeParseException e) {
            LOG.debug("no duration", e);
            return false;
        }
    }
}
