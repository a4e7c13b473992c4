package org.idallocator.service.resources;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets pages of other origins use the routes in a browser, without credentials. The program's other paths stay as they are. A
 * request of an origin that is not allowed is answered all the same, without the headers by which a browser lets the page read the
 * answer: pages of the service's own origin send their origin, too, and whatever is no browser sends what it likes.
 */
final class CrossOrigin extends CrossOriginHandler {
    private static final String ANY = "*";
    private static final String ALLOWED = CrossOrigin.class.getName();

    private final Supplier<@Nullable String> jerseyPattern;

    /**
     * Lets some origins.
     *
     * @param origins as browsers send them; {@code *} is any
     * @param jerseyPattern where the routes are: the pattern of Jersey's servlet, such as <code>/api/*</code>; asked at each request, because
     *     Dropwizard sets it late
     */
    CrossOrigin(List<String> origins, Supplier<@Nullable String> jerseyPattern) {
        this.jerseyPattern = jerseyPattern;
        setAllowedOriginPatterns(origins.stream()
                .map(origin -> origin.equals(ANY) ? origin : Pattern.quote(origin))
                .collect(Collectors.toUnmodifiableSet()));
        setAllowedMethods(Set.of("GET", "HEAD", "POST"));
        setAllowedHeaders(Set.of("Accept", "Content-Type"));
        setAllowCredentials(false);
        setExposedHeaders(Set.of("Retry-After"));
    }

    /** Whether the answer to a request depends on its origin. */
    static boolean varies(ContainerRequestContext request) {
        return request.getProperty(ALLOWED) != null; // Jersey looks for properties among the servlet's attributes, too
    }

    /** The same for a request that Jersey does not know. */
    static boolean varies(Request request) {
        return request.getAttribute(ALLOWED) != null;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (RoutePaths.include(Request.getPathInContext(request), jerseyPattern.get())) {
            request.setAttribute(ALLOWED, true);
            return super.handle(request, response, callback);
        }
        Handler next = getHandler();
        return next != null && next.handle(request, response, callback);
    }
}
