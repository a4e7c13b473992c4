package org.idallocator.service.resources;

import jakarta.ws.rs.container.ContainerRequestContext;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.util.Callback;

/** Lets pages of other origins use the routes in a browser, without credentials. The program's other paths stay as they are. */
final class CrossOrigin extends CrossOriginHandler {
    private static final String ANY = "*";
    private static final String ALLOWED = CrossOrigin.class.getName();

    /** {@code origins} are as browsers send them; {@code *} is any. */
    CrossOrigin(List<String> origins) {
        setAllowedOriginPatterns(origins.stream()
                .map(origin -> origin.equals(ANY) ? origin : Pattern.quote(origin))
                .collect(Collectors.toUnmodifiableSet()));
        setAllowedMethods(Set.of("GET", "HEAD", "POST"));
        setAllowedHeaders(Set.of("Accept", "Content-Type"));
        setExposedHeaders(Set.of("Retry-After"));
    }

    /** Whether the answer to a request depends on its origin. */
    static boolean varies(ContainerRequestContext request) {
        return request.getProperty(ALLOWED) != null; // Jersey looks for properties among the servlet's attributes, too
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (RoutePaths.include(Request.getPathInContext(request))) {
            request.setAttribute(ALLOWED, true);
            return super.handle(request, response, callback);
        }
        Handler next = getHandler();
        return next != null && next.handle(request, response, callback);
    }
}
