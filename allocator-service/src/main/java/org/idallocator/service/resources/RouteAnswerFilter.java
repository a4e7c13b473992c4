package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;

/** The filter for the paths of the routes alone: answers at other paths are the program's own matter. */
final class RouteAnswerFilter extends AnswerFilter {

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response)
            throws JsonProcessingException {
        if (RoutePaths.include(request.getUriInfo())) {
            super.filter(request, response);
        }
    }
}
