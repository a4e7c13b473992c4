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
import org.idallocator.service.draw.Answer;
import org.idallocator.service.draw.Draws;
import org.idallocator.service.draw.Format;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.Order;

/** {@code /ids/{scheme}}: IDs. */
@Path("/ids/{scheme}")
public final class DrawResource {
    private final IdSource source;
    private final Draws draws;
    private final ServedSchemes schemes;

    public DrawResource(IdSource source, Draws draws) {
        this.source = source;
        this.draws = draws;
        this.schemes = new ServedSchemes(source.schemes());
    }

    @GET
    public Response get(
            @PathParam("scheme") String name,
            @Context UriInfo uri,
            @Context Request request,
            @Context HttpHeaders headers,
            @Context HttpServletRequest servletRequest) {
        Order order = OrderReader.read(schemes.named(name), uri.getQueryParameters());
        Format format = Negotiation.format(request, headers);
        Answer answer = draws.answer(schemes.named(name), order, format);
        Object entity = order.streamed() ? new StreamedAnswer(answer, servletRequest) : answer.whole();
        return ok(format, answer).entity(entity).build();
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
        Scheme<?> scheme = schemes.named(name);
        Order order = OrderReader.read(scheme, uri.getQueryParameters());
        Format format = Negotiation.format(request, headers);
        source.status(scheme).fenced().ifPresent(fenced -> {
            throw fenced;
        });
        return ok(format, draws.answer(scheme, order, format)).build();
    }

    private static Response.ResponseBuilder ok(Format format, Answer answer) {
        return Response.ok().type(format.mediaType()).header(HttpHeaders.CONTENT_LENGTH, answer.length());
    }
}
