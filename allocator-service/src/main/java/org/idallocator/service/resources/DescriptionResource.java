package org.idallocator.service.resources;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.idallocator.service.openapi.Description;

/** {@code /openapi.json}: what the routes take and answer. */
@Path("/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class DescriptionResource {
    private final Description description;

    public DescriptionResource(Description description) {
        this.description = description;
    }

    @GET
    public byte[] description(@Context UriInfo uri) {
        Query.none(uri);
        return description.json(uri.getBaseUri());
    }
}
