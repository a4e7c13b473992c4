package org.idallocator.service.resources;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.draw.IdSource;

/** {@code /leases} on the application port: the slots that this replica holds. */
@Path("/leases")
@Produces(MediaType.APPLICATION_JSON)
public final class LeasesResource {
    private final IdSource source;

    public LeasesResource(IdSource source) {
        this.source = source;
    }

    @GET
    public LeaseList leases(@Context UriInfo uri) {
        Query.none(uri);
        return new LeaseList(source.held());
    }
}
