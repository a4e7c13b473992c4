package org.idallocator.service.problems;

import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.ext.ExceptionMapper;

/** Answers every exception with a {@link Problem}: in JSON, or as the one line of its detail to a client that asked for text. */
public class ProblemMapper implements ExceptionMapper<Throwable> {
    private final HttpHeaders headers;
    private final UriInfo uri;

    /** Both are those of the request that is answered. */
    public ProblemMapper(@Context HttpHeaders headers, @Context UriInfo uri) {
        this.headers = headers;
        this.uri = uri;
    }

    @Override
    public final Response toResponse(Throwable error) {
        Refusal refusal = RefusedRequest.because(located(error));
        Problem problem = refusal.problem();
        Response.ResponseBuilder response = start(error, problem.status());
        refusal.retryAfter().ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
        return TextPreference.of(headers)
                ? response.type(Problem.LINE_TYPE).entity(problem.line()).build()
                : response.type(Problem.MEDIA_TYPE)
                        .entity(problem.withHelp(uri.getBaseUri().getPath()))
                        .build();
    }

    /** Where the path is none, Jersey says no more than that. */
    private Throwable located(Throwable error) {
        if (error instanceof NotFoundException
                && String.valueOf(error.getMessage()).startsWith("HTTP ")) {
            String base = uri.getBaseUri().getPath();
            return new NotFoundException(Refusal.NOTHING_THERE + "; see " + base + "ids and " + base + "leases", error);
        }
        return error;
    }

    /** An answer with the headers that come with the error, such as {@code Allow}. */
    private static Response.ResponseBuilder start(Throwable error, int status) {
        Response.ResponseBuilder response = Response.status(status);
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
