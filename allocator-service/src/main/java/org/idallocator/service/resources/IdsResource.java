package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Answer;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.Media;
import org.idallocator.service.draw.Order;
import org.idallocator.service.failures.CallerFailures;

/** {@code /ids/{scheme}}: draws IDs. */
@Path("/ids/{scheme}")
public final class IdsResource {
    private final IdSource source;
    private final Dispenser dispenser;
    private final CallerFailures cutOff = StreamedAnswer.cutOff();

    public IdsResource(IdSource source, Dispenser dispenser) {
        this.source = source;
        this.dispenser = dispenser;
    }

    @GET
    public Response get(
            @PathParam("scheme") String name,
            @Context UriInfo uri,
            @Context Request request,
            @Context HttpHeaders headers,
            @Context HttpServletRequest servletRequest) {
        Scheme<?> scheme = Schemes.named(name, source.schemes());
        Order order = OrderReader.read(scheme, uri.getQueryParameters());
        Media media = Negotiation.media(request, headers);
        Answer answer = dispenser.answer(scheme, order, media);
        Object entity = order.streamed() ? new StreamedAnswer(scheme, answer, servletRequest, cutOff) : answer.whole();
        return ok(media, answer).entity(entity).build();
    }

    /** Does what GET does. */
    @POST
    public Response post(
            @PathParam("scheme") String name,
            @Context UriInfo uri,
            @Context Request request,
            @Context HttpHeaders headers,
            @Context HttpServletRequest servletRequest) {
        return get(name, uri, request, headers, servletRequest);
    }

    /** Answers as GET would, without drawing an ID. */
    @HEAD
    public Response head(
            @PathParam("scheme") String name,
            @Context UriInfo uri,
            @Context Request request,
            @Context HttpHeaders headers) {
        Scheme<?> scheme = Schemes.named(name, source.schemes());
        Order order = OrderReader.read(scheme, uri.getQueryParameters());
        Media media = Negotiation.media(request, headers);
        source.status(scheme).fenced().ifPresent(fenced -> {
            throw fenced;
        });
        return ok(media, dispenser.answer(scheme, order, media)).build();
    }

    private static Response.ResponseBuilder ok(Media media, Answer answer) {
        return Response.ok().type(media.mediaType()).header(HttpHeaders.CONTENT_LENGTH, answer.length());
    }
}
