package org.idallocator.service.resources;

import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.Set;

/** Refuses a body where the method has no use for one, at all routes: what somebody wrote there would be ignored. */
final class BodyRefusal implements ContainerRequestFilter {
    private static final Set<String> WITHOUT_BODY = Set.of(HttpMethod.GET, HttpMethod.HEAD);

    @Override
    public void filter(ContainerRequestContext request) {
        if (WITHOUT_BODY.contains(request.getMethod())
                && RoutePaths.include(request.getUriInfo())
                && hasBody(request)) {
            throw new BadRequestException(
                    request.getMethod() + " takes no body: put the parameters into the query, or send them with POST");
        }
    }

    private static boolean hasBody(ContainerRequestContext request) {
        boolean chunked = request.getHeaderString("Transfer-Encoding") != null;
        String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
        return (length != null && !length.matches("0+"))
                || (chunked && RequestBody.read(request.getEntityStream(), 1).length > 0);
    }
}
