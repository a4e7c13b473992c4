package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;

/** Leaves the answers of other paths alone: they are the program's own. */
final class RouteAnswerFilter extends AnswerFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response)
            throws JsonProcessingException {
        if (RoutePaths.include(request.getUriInfo())) {
            super.filter(request, response);
        }
    }
}
