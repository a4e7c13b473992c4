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
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.glassfish.jersey.spi.ExtendedExceptionMapper;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.api.Visibility;

/**
 * Answers every exception with a {@link Problem}: in JSON, or as the one line of its detail to a client that asked for text. How errors
 * at other paths than the routes are answered is the program's own matter, unless it says {@link #EVERYWHERE}.
 */
public final class ProblemMapper implements ExtendedExceptionMapper<Throwable> {
    /** The property that says what answers tell, a {@link Visibility}. Where it is missing, they tell no whereabouts. */
    public static final String DISCRETION = Visibility.class.getName();

    /** The property that is true where errors at every path are answered. */
    public static final String EVERYWHERE = ProblemMapper.class.getName();

    private static final Pattern ROUTES = Pattern.compile("/?(ids(/.*)?|leases|openapi\\.json|problems/.*)");

    private final HttpHeaders headers;
    private final UriInfo uri;
    private final Request request;
    private final Visibility discretion;
    private final boolean everywhere;

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
                configuration.getProperty(DISCRETION) instanceof Visibility given ? given : new Visibility(false);
        this.everywhere = Boolean.TRUE.equals(configuration.getProperty(EVERYWHERE));
    }

    @Override
    public boolean isMappable(Throwable error) {
        return everywhere || ROUTES.matcher(uri.getPath()).matches();
    }

    @Override
    public Response toResponse(Throwable error) {
        Problem problem = problem(error);
        boolean text = Accepts.text(headers.getRequestHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of()));
        Response.ResponseBuilder response = error instanceof WebApplicationException web
                ? Response.fromResponse(web.getResponse()) // with headers such as Allow
                : Response.status(problem.status());
        problem.retryAfter().ifPresent(seconds -> response.header(HttpHeaders.RETRY_AFTER, seconds));
        return response.type(Problem.mediaType(text))
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
                .entity(problem.withHelp(base()).body(text))
                .build();
    }

    private String base() {
        return uri.getBaseUri().getPath();
    }

    /** Where the path is none, or takes other methods, Jersey says no more than that. */
    private Problem problem(Throwable error) {
        boolean bare = String.valueOf(error.getMessage()).startsWith("HTTP ");
        if (bare && error instanceof NotFoundException) {
            return Problems.of(404, Problems.NOTHING_THERE + "; see " + base() + "ids and " + base() + "leases");
        } else if (bare && error instanceof NotAllowedException other) {
            String taken = String.join(", ", new TreeSet<>(other.getResponse().getAllowedMethods()));
            return Problems.of(405, "this path takes " + taken + ": " + request.getMethod());
        }
        return Problems.of(error instanceof FencedException fenced ? discretion.told(fenced) : error);
    }
}
