package org.idallocator.dropwizard.problems;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.glassfish.jersey.message.internal.HeaderValueException;
import org.glassfish.jersey.message.internal.HeaderValueException.Context;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.generator.AheadException;
import org.idallocator.core.generator.OverCapacityException;
import org.idallocator.core.generator.TooFarAheadException;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.id.IdFormatException;
import org.idallocator.core.scheme.UnknownSchemeException;
import org.idallocator.dropwizard.decode.Quoted;
import org.idallocator.dropwizard.decode.UnreadableIdException;
import org.idallocator.dropwizard.ids.BusyException;
import org.idallocator.dropwizard.ids.ClientGoneException;
import org.idallocator.zk.operator.UnreachableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns exceptions into problems: the one place that decides what callers and the log are told of an exception. */
public final class Problems {
    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    /** The detail for a path at which there is nothing. */
    static final String NOTHING_THERE = "there is nothing at this path";

    /** How long a caller should wait after ZooKeeper did not answer. */
    private static final Duration UNREACHABLE_RETRY_AFTER = Duration.ofSeconds(1);

    private Problems() {}

    /**
     * Logs an exception of a request, and returns the problem to answer. The exception is logged as an error where the
     * program made a mistake, else at debug. For an exception that is a mistake of the program, the status is 500, and
     * the detail tells nothing of the exception.
     */
    public static Problem logAndDescribe(Throwable error) {
        Problem problem = toProblem(error);
        if (problem.status() >= 500 && !problem.isState()) {
            LOG.error("A request failed", error);
        } else {
            LOG.debug("A request is refused: {}", problem.detail(), error);
        }
        return problem;
    }

    /** A problem of this kind; {@code detail} says what is wrong in this case. */
    public static Problem of(ProblemType type, String detail) {
        return problem(type, detail, null, null);
    }

    /**
     * The problem for an error of the web server or of Jersey. Its detail is {@code words}, unless these say no more
     * than the status. Words for 500 are never told, because they are not for callers; those of servlets for 405 say
     * less than ours.
     */
    static Problem ofStatus(int status, @Nullable String words) {
        Response.Status known = Response.Status.fromStatusCode(status);
        String title = known == null ? HttpStatus.getMessage(status) : known.getReasonPhrase();
        boolean wordsAreWorse = status == ProblemType.METHOD_NOT_ALLOWED.status()
                || status == ProblemType.INTERNAL_SERVER_ERROR.status();
        String detail = words == null || words.equals(title) || wordsAreWorse ? inWords(status, title) : words;
        String type = Problem.TYPE_PREFIX + title.toLowerCase(Locale.ROOT).replace(' ', '-');
        return new Problem(null, type, title, status, Quoted.visible(detail), null, null, OptionalLong.empty());
    }

    /**
     * Runs the reader of a client's text. Throws its {@link BadValueException}, {@link IdFormatException} or
     * {@link UnreadableIdException} as an {@link ApiException} of a bad request. Every other exception is thrown on.
     */
    public static <T> T asBadRequest(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (BadValueException | IdFormatException | UnreadableIdException e) {
            throw new ApiException(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage()), e);
        }
    }

    private static Problem toProblem(Throwable error) {
        if (error instanceof FencedException fenced) {
            return fenced(fenced);
        } else if (error instanceof OverCapacityException over) {
            return unavailable(ProblemType.OVER_CAPACITY, over, null, over.retryAfter());
        } else if (error instanceof AheadException ahead) {
            return unavailable(ProblemType.AHEAD, ahead, null, ahead.retryAfter());
        } else if (error instanceof TooFarAheadException) {
            return of(ProblemType.TOO_FAR_AHEAD, String.valueOf(error.getMessage()));
        } else if (error instanceof BusyException busy) {
            return unavailable(ProblemType.BUSY, busy, null, BusyException.RETRY_AFTER);
        } else if (error instanceof UnreachableException unreachable) {
            return unavailable(ProblemType.UNREACHABLE, unreachable, null, UNREACHABLE_RETRY_AFTER);
        } else if (error instanceof ClientGoneException) {
            return of(ProblemType.CLIENT_GONE, String.valueOf(error.getMessage()));
        } else if (error instanceof ApiException refused) {
            return of(refused.type(), String.valueOf(refused.getMessage()));
        } else if (error instanceof UnknownSchemeException) {
            return of(ProblemType.NOT_FOUND, String.valueOf(error.getMessage()));
        } else if (error instanceof WebApplicationException web) { // Jersey's own, or of a filter of the program
            return ofStatus(web.getResponse().getStatus(), saysMore(web) ? web.getMessage() : null);
        } else if (error instanceof HeaderValueException header && header.getContext() == Context.INBOUND) {
            return of(ProblemType.BAD_REQUEST, String.valueOf(header.getMessage())); // names the header and its value
        } else if (error instanceof HttpException http && HttpStatus.isClientError(http.getCode())) {
            return ofStatus(http.getCode(), http.getReason());
        }
        return ofStatus(ProblemType.INTERNAL_SERVER_ERROR.status(), null);
    }

    /** Whether an exception has a message of its own, and not the one that Jersey derives from the response. */
    static boolean saysMore(WebApplicationException web) {
        return !Objects.equals(new WebApplicationException(web.getResponse()).getMessage(), web.getMessage());
    }

    private static Problem fenced(FencedException error) {
        FenceReason reason = error.reason();
        ProblemType type = switch (reason) {
            case NO_FREE_SLOT -> ProblemType.NO_FREE_SLOT;
            case CLOCK_SKEW -> ProblemType.CLOCK_SKEW;
            default -> ProblemType.FENCED;
        };
        boolean stops = reason == FenceReason.CLOSED; // asking this replica again never helps
        return unavailable(type, error, reason.code(), stops ? null : error.retryAfter());
    }

    private static Problem unavailable(
            ProblemType type, RuntimeException error, @Nullable String reason, @Nullable Duration retryAfter) {
        return problem(type, String.valueOf(error.getMessage()), reason, retryAfter);
    }

    private static Problem problem(
            ProblemType type, String detail, @Nullable String reason, @Nullable Duration retryAfter) {
        OptionalLong seconds = retryAfter == null
                ? OptionalLong.empty()
                : OptionalLong.of(Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds()));
        return new Problem(
                type, type.urn(), type.title(), type.status(), Quoted.visible(detail), reason, null, seconds);
    }

    /** The detail for a status where the web server, Dropwizard or Jersey says no more than the status. */
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
