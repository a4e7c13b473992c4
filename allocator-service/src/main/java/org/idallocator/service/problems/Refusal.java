package org.idallocator.service.problems;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.service.ids.BusyException;
import org.idallocator.service.ids.ClientGoneException;
import org.idallocator.zk.operator.UnreachableException;
import org.jspecify.annotations.Nullable;

/**
 * What a caller is told of an exception.
 *
 * @param problem what is wrong
 * @param retryAfter the whole seconds, 1 or more, after which the caller may ask again; empty where that would not help
 */
public record Refusal(Problem problem, OptionalLong retryAfter) {
    /** What is said of a path that leads nowhere. */
    static final String NOTHING_THERE = "there is nothing at this path";

    private static final Duration UNREACHABLE_RETRY = Duration.ofSeconds(1);
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;
    private static final int FAILED = 500;
    private static final String FAILED_DETAIL = "the request failed for a reason that the log tells";
    /** The status that other web servers log for a client that closed its connection. */
    private static final int CLIENT_GONE = 499;

    /** The status is 500, and the detail tells nothing, for an exception that no caller should have caused. */
    public static Refusal of(Throwable error) {
        if (error instanceof FencedException fenced) {
            return fenced(fenced);
        } else if (error instanceof OverCapacityException over) {
            return unavailable("over-capacity", "Over capacity", over, null, over.retryAfter());
        } else if (error instanceof BusyException busy) {
            return unavailable("busy", "Busy", busy, null, BusyException.RETRY_AFTER);
        } else if (error instanceof UnreachableException unreachable) {
            return unavailable("unreachable", "ZooKeeper unreachable", unreachable, null, UNREACHABLE_RETRY);
        } else if (error instanceof ClientGoneException gone) {
            return callerGone(gone);
        } else if (error instanceof UnknownSchemeException) {
            return plain(NOT_FOUND, String.valueOf(error.getMessage()));
        } else if (error instanceof WebApplicationException web) {
            return web(web);
        } else if (error instanceof HttpException http && HttpStatus.isClientError(http.getCode())) {
            return ofServer(http.getCode(), http.getReason());
        }
        return plain(FAILED, FAILED_DETAIL);
    }

    /** A mistake that the web server itself has found; {@code message} is what that says of it. */
    static Refusal ofServer(int status, @Nullable String message) {
        if (status == FAILED) {
            return plain(FAILED, FAILED_DETAIL);
        }
        boolean told = message != null && !message.equals(title(status));
        return plain(status, told ? String.valueOf(message) : ofServer(status));
    }

    private static String ofServer(int status) {
        return switch (status) {
            case 400 ->
                "the web server cannot read the request: in a path, % must begin an escape such as %20, and each header must have the"
                        + " form that HTTP gives it";
            case NOT_FOUND -> NOTHING_THERE;
            case 405 -> "this method is none that the web server takes (server.allowedMethods)";
            case UNAVAILABLE -> "this replica stops; ask another";
            default -> "the web server says: " + title(status);
        };
    }

    /** Only who closed the sending side alone reads this. */
    private static Refusal callerGone(ClientGoneException error) {
        String detail = String.valueOf(error.getMessage());
        Problem problem = Problem.of("client-gone", "Client gone", CLIENT_GONE, detail, null);
        return new Refusal(problem, OptionalLong.empty());
    }

    private static Refusal fenced(FencedException error) {
        String reason = error.reason().code();
        return switch (error.reason()) {
            case NO_FREE_SLOT -> unavailable(reason, "No free slot", error, reason, error.retryAfter());
            case CLOSED -> closed(error);
            case CLOCK_SKEW -> unavailable(reason, "Clock skew", error, reason, error.retryAfter());
            default -> unavailable("fenced", "Fenced", error, reason, error.retryAfter());
        };
    }

    /** A replica that stops: asking it again never helps. */
    private static Refusal closed(FencedException error) {
        String reason = error.reason().code();
        Refusal refusal = unavailable("fenced", "Fenced", error, reason, error.retryAfter());
        return new Refusal(refusal.problem(), OptionalLong.empty());
    }

    private static Refusal unavailable(
            String type, String title, RuntimeException error, @Nullable String reason, Duration retryAfter) {
        String detail = error.getMessage() == null ? title : error.getMessage();
        Problem problem = Problem.of(type, title, UNAVAILABLE, detail, reason);
        return new Refusal(problem, OptionalLong.of(wholeSeconds(retryAfter)));
    }

    private static long wholeSeconds(Duration wait) {
        return Math.max(1, wait.plusNanos(999_999_999).toSeconds());
    }

    private static Refusal web(WebApplicationException error) {
        int status = error.getResponse().getStatus();
        String given = error.getMessage();
        return plain(status, given == null || given.startsWith("HTTP ") ? words(error.getResponse()) : given);
    }

    /** A detail for requests that Jersey refuses by itself, telling no more than the status. */
    private static String words(Response response) {
        return switch (response.getStatus()) {
            case NOT_FOUND -> NOTHING_THERE;
            case 406 -> "this path answers in application/json, which Accept does not allow";
            default ->
                "HTTP " + response.getStatus() + " " + response.getStatusInfo().getReasonPhrase();
        };
    }

    private static Refusal plain(int status, String detail) {
        String title = title(status);
        String type = title.toLowerCase(Locale.ROOT).replace(' ', '-');
        return new Refusal(Problem.of(type, title, status, detail, null), OptionalLong.empty());
    }

    private static String title(int status) {
        Response.Status known = Response.Status.fromStatusCode(status);
        return known == null ? HttpStatus.getMessage(status) : known.getReasonPhrase();
    }
}
