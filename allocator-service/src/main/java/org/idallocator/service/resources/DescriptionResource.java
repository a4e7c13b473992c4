package org.idallocator.service.resources;

import io.dropwizard.health.response.ServletHealthResponder;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.net.URI;
import java.util.Optional;
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
    public byte[] description(@Context UriInfo uri, @Context HttpServletRequest request) {
        Query.none(uri);
        return description.json(uri.getBaseUri(), health(uri.getBaseUri(), request));
    }

    /** Where Dropwizard answers for health, if the program has it do so. */
    private static Optional<URI> health(URI base, HttpServletRequest request) {
        return request.getServletContext().getServletRegistrations().values().stream()
                .filter(servlet -> ServletHealthResponder.class.getName().equals(servlet.getClassName()))
                .flatMap(servlet -> servlet.getMappings().stream())
                .findFirst()
                .map(path -> base.resolve(request.getContextPath() + path));
    }
}
