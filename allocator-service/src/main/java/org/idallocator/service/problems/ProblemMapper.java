package org.idallocator.service.problems;

import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.Discretion;

/** Answers every exception with a {@link Problem}: in JSON, or as the one line of its detail to a client that asked for text. */
public class ProblemMapper implements ExceptionMapper<Throwable> {
    /** The property that says what answers tell, a {@link Discretion}. Where it is missing, they tell no whereabouts. */
    public static final String DISCRETION = Discretion.class.getName();

    private final HttpHeaders headers;
    private final UriInfo uri;
    private final Request request;
    private final Discretion discretion;

    /** The first three are those of the request that is answered; {@code configuration} is the server's. */
    public ProblemMapper(
            @Context HttpHeaders headers,
            @Context UriInfo uri,
            @Context Request request,
            @Context Configuration configuration) {
        this.headers = headers;
        this.uri = uri;
        this.request = request;
        this.discretion =
                configuration.getProperty(DISCRETION) instanceof Discretion given ? given : new Discretion(false);
    }

    @Override
    public final Response toResponse(Throwable error) {
        Refusal refusal = RefusedRequest.because(told(inWords(error)));
        Problem problem = refusal.problem();
        Response.ResponseBuilder response = start(error, problem.status());
        refusal.retryAfter().ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
        return TextPreference.of(headers)
                ? response.type(Problem.LINE_TYPE).entity(problem.line()).build()
                : response.type(Problem.MEDIA_TYPE)
                        .entity(AnswerMapper.line(
                                problem.withHelp(uri.getBaseUri().getPath())))
                        .build();
    }

    private Throwable told(Throwable error) {
        return error instanceof FencedException fenced ? discretion.told(fenced) : error;
    }

    /** Where the path is none, or takes other methods, Jersey says no more than that. */
    private Throwable inWords(Throwable error) {
        if (!String.valueOf(error.getMessage()).startsWith("HTTP ")) {
            return error;
        } else if (error instanceof NotFoundException) {
            String base = uri.getBaseUri().getPath();
            return new NotFoundException(Refusal.NOTHING_THERE + "; see " + base + "ids and " + base + "leases", error);
        } else if (error instanceof NotAllowedException other) {
            String detail = "this path takes " + taken(other.getResponse()) + ": " + request.getMethod();
            return new NotAllowedException(detail, other.getResponse(), error);
        }
        return error;
    }

    /** A {@link NotAllowedException} always has an {@code Allow}. */
    private static String taken(Response response) {
        return Arrays.stream(response.getHeaderString(HttpHeaders.ALLOW).split(",", -1))
                .map(String::strip)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    /** An answer with the headers that come with the error, such as {@code Allow}. */
    private static Response.ResponseBuilder start(Throwable error, int status) {
        Response.ResponseBuilder response = Response.status(status)
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT);
        if (error instanceof WebApplicationException web) {
            web.getResponse().getStringHeaders().forEach((name, values) -> {
                if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)) {
                    values.forEach(value -> response.header(name, value));
                }
            });
        }
        return response;
    }
}
