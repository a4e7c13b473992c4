package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.decode.IdParser;
import org.idallocator.service.ids.Parameters;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.operator.Holder;

/** {@code /ids/{scheme}/{id}}: what an ID says. */
@Path("/ids/{scheme}/{id}")
@Produces(MediaType.APPLICATION_JSON)
public final class InspectionResource {
    private static final String FORM = "form";

    private final IdSource source;
    private final Visibility discretion;

    /** {@code discretion} is what callers are told. */
    public InspectionResource(IdSource source, Visibility discretion) {
        this.discretion = discretion;
        this.source = source;
    }

    @GET
    public byte[] inspect(
            @PathParam("scheme") String name,
            @PathParam("id") String text,
            @Context UriInfo uri,
            @Context HttpServletRequest request)
            throws IOException {
        Scheme<?> scheme = Schemes.named(name, source.schemes());
        Optional<String> form = Query.read(() -> new Parameters(uri.getQueryParameters(), List.of(FORM)).value(FORM));
        return discretion.json(inspect(scheme, text, form, ClientConnection.of(request)));
    }

    private <T extends Id> Inspection inspect(
            Scheme<T> scheme, String text, Optional<String> form, ClientConnection client) {
        T id = Query.read(() -> IdParser.parse(scheme, text, form));
        OptionalLong slot = scheme.slotOf(id);
        client.rests(); // what ZooKeeper takes for its answer is no work
        Holder holder = slot.isEmpty() ? Holder.NOBODY : source.holder(scheme, slot.getAsLong());
        return Inspection.of(scheme, id, discretion.told(holder));
    }
}
