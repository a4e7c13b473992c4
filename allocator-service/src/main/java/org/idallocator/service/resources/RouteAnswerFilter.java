package org.idallocator.service.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import java.util.Set;
import org.idallocator.service.api.Catalogue;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.api.Visibility;

/** The filter for the paths of the routes alone: answers at other paths are the program's own matter. */
final class RouteAnswerFilter extends AnswerFilter {
    private static final Set<Class<?>> SHAPES = Set.of(Catalogue.class, Inspection.class, LeaseList.class);

    private final Visibility discretion;

    /** {@code discretion} says what the answers tell. */
    RouteAnswerFilter(Visibility discretion) {
        this.discretion = discretion;
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response)
            throws JsonProcessingException {
        if (RoutePaths.include(request.getUriInfo())) {
            super.filter(request, response);
            if (response.hasEntity() && SHAPES.contains(response.getEntityClass())) {
                response.setEntity(discretion.json(response.getEntity()));
            }
        }
    }
}
