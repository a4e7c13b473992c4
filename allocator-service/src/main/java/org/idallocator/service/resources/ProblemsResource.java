package org.idallocator.service.resources;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.UriInfo;
import org.idallocator.service.problems.Guide;

/** {@code /problems/{reason}} on the application port: what the operations guide says of a reason, to which problems point. */
@Path("/problems")
public final class ProblemsResource {
    private static final String TEXT = "text/plain;charset=utf-8";

    @GET
    @Path("{reason}")
    @Produces(TEXT)
    public String section(@PathParam("reason") String reason, @Context UriInfo uri) {
        Query.none(uri);
        return Guide.section(reason).orElseThrow(() -> new NotFoundException("the guide has no reason " + reason));
    }
}
