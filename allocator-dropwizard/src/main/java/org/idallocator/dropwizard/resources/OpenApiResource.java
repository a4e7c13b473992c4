package org.idallocator.dropwizard.resources;

import com.google.common.io.Resources;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;

/**
 * {@code /openapi.json}: the description of the routes, from the file of that name. Its addresses are relative to its
 * own.
 */
@Path("/openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {
    @GET
    public byte[] description(@Context UriInfo uri) throws IOException {
        DrawParameters.requireNone(uri);
        return Resources.toByteArray(Resources.getResource(OpenApiResource.class, "openapi.json"));
    }
}
