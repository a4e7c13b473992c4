package org.idallocator.dropwizard.resources;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import org.idallocator.dropwizard.api.OwnLeases;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.zk.IdSource;

/** {@code /leases} on the application port: the slots that this replica holds. */
@Path("/leases")
@Produces(MediaType.APPLICATION_JSON)
public final class LeasesResource {
    private final IdSource source;
    private final Visibility visibility;

    /** {@code source} holds the slots; {@code visibility} is what the answers may tell. */
    public LeasesResource(IdSource source, Visibility visibility) {
        this.source = source;
        this.visibility = visibility;
    }

    @GET
    public byte[] leases(@Context UriInfo uri) {
        DrawParameters.requireNone(uri);
        return visibility.json(new OwnLeases(source.held()));
    }
}
