package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.decode.IdParser;
import org.idallocator.service.draw.IdSource;
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
    public Inspection inspect(
            @PathParam("scheme") String name,
            @PathParam("id") String text,
            @Context UriInfo uri,
            @Context HttpServletRequest request) {
        Scheme<?> scheme = Schemes.named(name, source.schemes());
        Query query = new Query(uri.getQueryParameters(), List.of(FORM));
        return inspect(scheme, text, query.value(FORM), Turn.of(request));
    }

    private <T extends Id> Inspection inspect(
            Scheme<T> scheme, String text, Optional<String> form, Optional<Turn> turn) {
        T id = Query.read(() -> IdParser.parse(scheme, text, form));
        OptionalLong slot = scheme.slotOf(id);
        Holder holder = slot.isEmpty() ? Holder.NOBODY : holder(scheme, slot.getAsLong(), turn);
        return Inspection.of(scheme, id, discretion.told(holder));
    }

    /** What ZooKeeper takes for its answer is no work. */
    private Holder holder(Scheme<?> scheme, long slot, Optional<Turn> turn) {
        turn.ifPresent(Turn::end);
        Holder holder = source.holder(scheme, slot);
        turn.ifPresent(Turn::begin);
        return holder;
    }
}
