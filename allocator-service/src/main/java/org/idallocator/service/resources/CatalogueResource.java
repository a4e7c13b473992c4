package org.idallocator.service.resources;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.idallocator.service.api.Catalogue;
import org.idallocator.service.api.Catalogue.SchemeEntry;
import org.idallocator.service.api.Catalogue.ZooKeeperEntry;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.ids.MaxCounts;
import org.idallocator.zk.IdSource;

/** {@code /ids}: the schemes that this replica serves. */
@Path("/ids")
@Produces(MediaType.APPLICATION_JSON)
public final class CatalogueResource {
    private final IdSource source;
    private final MaxCounts counts;
    private final Supplier<ZooKeeperEntry> zookeeper;
    private final Visibility discretion;

    public CatalogueResource(
            IdSource source, MaxCounts counts, Supplier<ZooKeeperEntry> zookeeper, Visibility discretion) {
        this.source = source;
        this.counts = counts;
        this.zookeeper = zookeeper;
        this.discretion = discretion;
    }

    @GET
    public byte[] catalogue(@Context UriInfo uri) throws IOException {
        Query.none(uri);
        List<SchemeEntry> entries = source.schemes().stream()
                .map(scheme -> SchemeEntry.of(
                        scheme,
                        counts.largest(scheme, scheme.defaultVariant()),
                        discretion.told(source.status(scheme))))
                .toList();
        return discretion.json(new Catalogue(entries, zookeeper.get()));
    }
}
