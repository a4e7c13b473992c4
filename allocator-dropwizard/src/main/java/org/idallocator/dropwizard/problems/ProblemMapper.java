package org.idallocator.dropwizard.problems;

import jakarta.inject.Inject;
import jakarta.inject.Provider;
import jakarta.ws.rs.NotAllowedException;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.TreeSet;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.spi.ExtendedExceptionMapper;
import org.idallocator.core.fence.FencedException;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.Route;

/**
 * Answers exceptions with a {@link Problem}: in JSON, or as the one line of its detail to a client that prefers text.
 * Only the routes' exceptions and every {@link ApiException} are answered, unless {@link #EVERYWHERE} is set: a program
 * answers its other errors itself.
 */
public final class ProblemMapper implements ExtendedExceptionMapper<Throwable> {
    /**
     * The Jersey property with the {@link Visibility} of answers. Without this property, answers tell no whereabouts.
     */
    public static final String VISIBILITY = Visibility.class.getName();

    /** The Jersey property that is true where errors at every path are to be answered. */
    public static final String EVERYWHERE = ProblemMapper.class.getName();

    private final Provider<ContainerRequest> request;
    private final Visibility visibility;
    private final boolean everywhere;

    /** {@code request} gives the request at hand; {@code configuration} is Jersey's, with its properties. */
    @Inject
    public ProblemMapper(Provider<ContainerRequest> request, Configuration configuration) {
        this.request = request;
        this.visibility =
                configuration.getProperty(VISIBILITY) instanceof Visibility given ? given : new Visibility(false);
        this.everywhere = Boolean.TRUE.equals(configuration.getProperty(EVERYWHERE));
    }

    @Override
    public boolean isMappable(Throwable error) {
        return everywhere
                || error instanceof ApiException
                || Route.ownsPath("/" + request.get().getPath(true));
    }

    @Override
    public Response toResponse(Throwable error) {
        ContainerRequest asked = request.get();
        String base = asked.getBaseUri().getPath();
        Problem problem = problem(error, asked.getMethod(), base);
        boolean text = AcceptHeader.prefersPlainText(asked.getHeaders().getOrDefault(HttpHeaders.ACCEPT, List.of()));
        Response.ResponseBuilder builder = error instanceof WebApplicationException web
                ? Response.fromResponse(web.getResponse()) // with headers such as Allow
                : Response.status(problem.status());
        problem.retryAfter().ifPresent(seconds -> builder.header(HttpHeaders.RETRY_AFTER, seconds));
        Response response = builder.type(Problem.mediaType(text))
                .entity(problem.withHelp(base).body(text))
                .build();
        CommonHeaders.BY_ACCEPT.putInto(response.getHeaders());
        CommonHeaders.EVERYWHERE.putInto(response.getHeaders());
        return response;
    }

    /**
     * The problem of an exception. For an unknown path, or a method that the path does not take, Jersey's exception
     * says no more than the status, so words are added here.
     */
    private Problem problem(Throwable error, String method, String base) {
        if (error instanceof WebApplicationException web && Problems.saysMore(web)) {
            return Problems.logAndDescribe(error);
        } else if (error instanceof NotFoundException) {
            return Problems.of(
                    ProblemType.NOT_FOUND, Problems.NOTHING_THERE + "; see " + base + "ids and " + base + "leases");
        } else if (error instanceof NotAllowedException other) {
            String taken = String.join(", ", new TreeSet<>(other.getResponse().getAllowedMethods()));
            return Problems.of(ProblemType.METHOD_NOT_ALLOWED, "this path takes " + taken + ": " + method);
        }
        return Problems.logAndDescribe(error instanceof FencedException fenced ? visibility.redacted(fenced) : error);
    }
}
