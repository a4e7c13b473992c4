package org.idallocator.service.problems;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.glassfish.jersey.message.internal.HeaderValueException;
import org.glassfish.jersey.message.internal.HeaderValueException.Context;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.service.decode.Quoted;
import org.idallocator.service.ids.BusyException;
import org.idallocator.service.ids.ClientGoneException;
import org.idallocator.zk.operator.UnreachableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a caller is told of an exception, and the log with it: the one place that turns one into a {@link Problem}. */
public final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    /** What is said of a path that leads nowhere. */
    static final String NOTHING_THERE = "there is nothing at this path";

    private static final Map<FenceReason, String> TITLES =
            Map.of(FenceReason.NO_FREE_SLOT, "No free slot", FenceReason.CLOCK_SKEW, "Clock skew");

    private Problems() {}

    /**
     * Logs the exception of a request, as an error where the program made a mistake, at debug where the problem is an answer; returns
     * what to tell the caller. The status is 500, and the detail tells nothing, for an exception that no caller should have caused.
     */
    public static Problem of(Throwable error) {
        Problem problem = told(error);
        if (problem.status() >= 500 && !problem.isState()) {
            LOG.error("A request failed", error);
        } else {
            LOG.debug("A request is refused: {}", problem.detail(), error);
        }
        return problem;
    }

    /** A mistake of the caller's, in words; in those for any such status where {@code words} are null, or say no more than that. */
    public static Problem of(int status, @Nullable String words) {
        Response.Status known = Response.Status.fromStatusCode(status);
        String title = known == null ? HttpStatus.getMessage(status) : known.getReasonPhrase();
        String detail = words == null || words.equals(title) || words.startsWith("HTTP ") || status == 500
                ? inWords(status, title)
                : words;
        return problem(title, status, detail, null, null);
    }

    /** Runs what reads a client's text. Its {@link IllegalArgumentException} is the client's mistake: a bad request. */
    public static <T> T reading(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new BadRequestException(e.getMessage(), e);
        }
    }

    private static Problem told(Throwable error) {
        if (error instanceof FencedException fenced) {
            return fenced(fenced);
        } else if (error instanceof OverCapacityException over) {
            return unavailable("Over capacity", over, null, over.retryAfter());
        } else if (error instanceof BusyException busy) {
            return unavailable("Busy", busy, null, BusyException.RETRY_AFTER);
        } else if (error instanceof UnreachableException unreachable) {
            return unavailable("ZooKeeper unreachable", unreachable, null, BusyException.RETRY_AFTER);
        } else if (error instanceof ClientGoneException) {
            // nginx's status; only who closed the sending side alone reads this
            return problem("Client gone", 499, String.valueOf(error.getMessage()), null, null);
        } else if (error instanceof UnknownSchemeException) {
            return of(404, error.getMessage());
        } else if (error instanceof WebApplicationException web) {
            return of(web.getResponse().getStatus(), web.getMessage());
        } else if (error instanceof HeaderValueException header && header.getContext() == Context.INBOUND) {
            return of(400, header.getMessage()); // which names the header and its value
        } else if (error instanceof HttpException http && HttpStatus.isClientError(http.getCode())) {
            return of(http.getCode(), http.getReason());
        }
        return of(500, null);
    }

    private static Problem fenced(FencedException error) {
        FenceReason reason = error.reason();
        String title = TITLES.getOrDefault(reason, "Fenced");
        boolean stops = reason == FenceReason.CLOSED; // asking again never helps
        return unavailable(title, error, reason.code(), stops ? null : error.retryAfter());
    }

    private static Problem unavailable(
            String title, RuntimeException error, @Nullable String reason, @Nullable Duration retryAfter) {
        return problem(title, 503, String.valueOf(error.getMessage()), reason, retryAfter);
    }

    private static Problem problem(
            String title, int status, String detail, @Nullable String reason, @Nullable Duration retryAfter) {
        String name = title.replace("ZooKeeper ", "").toLowerCase(Locale.ROOT).replace(' ', '-');
        OptionalLong seconds = retryAfter == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds()));
        return new Problem(Problem.TYPE_PREFIX + name, title, status, Quoted.visible(detail), reason, null, seconds);
    }

    /** What is said of a status where the web server, Dropwizard or Jersey tells no more than that. */
    private static String inWords(int status, String title) {
        return switch (status) {
            case 400 ->
                "the web server cannot read the request: in a path, % must begin an escape such as %20, and each header must have the"
                        + " form that HTTP gives it";
            case 404 -> NOTHING_THERE;
            case 405 -> "the path does not take this method, or the web server does not (server.allowedMethods)";
            case 406 -> "this path answers in application/json, which Accept does not allow";
            case 500 -> "the request failed for a reason that the log tells";
            case 503 -> "this replica stops; ask another";
            default -> "HTTP " + status + " " + title;
        };
    }
}
