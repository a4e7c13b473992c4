package org.idallocator.service.resources;

import com.google.common.io.CountingOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.NotAcceptableException;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.Variant;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.ids.ClientGoneException;
import org.idallocator.service.ids.IdAnswer;
import org.idallocator.service.ids.IdRequest;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.MaxCounts;
import org.idallocator.service.ids.Media;
import org.idallocator.service.logging.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /ids/{scheme}}: issues IDs. */
@Path("/ids/{scheme}")
public final class IdsResource {
    private static final Logger LOG = LoggerFactory.getLogger(IdsResource.class);
    private static final List<Media> MEDIA = List.of(Media.values());
    private static final List<Variant> VARIANTS = MEDIA.stream()
            .map(media -> new Variant(MediaType.valueOf(media.mediaType()), (String) null, null))
            .toList();
    private static final String OFFERED = MEDIA.stream().map(Media::mediaType).collect(Collectors.joining(", "));

    private final IdService ids;
    private final MaxCounts maxCounts;
    private final FailureLog cutOff = new FailureLog(LOG);

    public IdsResource(IdService ids, MaxCounts maxCounts) {
        this.ids = ids;
        this.maxCounts = maxCounts;
    }

    @GET
    public Response get(
            @PathParam("scheme") String scheme,
            @Context ContainerRequestContext request,
            @Context HttpServletRequest servlet) {
        return answer(asked(scheme(scheme), query(request)), request, servlet);
    }

    /** Does what GET does; parameters in the body count as those of the query. */
    @POST
    public Response post(
            @PathParam("scheme") String scheme,
            @Context ContainerRequestContext request,
            @Context HttpServletRequest servlet) {
        Scheme<?> known = scheme(scheme); // before the body is read
        Map<String, List<String>> parameters =
                RequestBody.parameters(query(request), request.getMediaType(), request.getEntityStream());
        return answer(asked(known, parameters), request, servlet);
    }

    /** Answers as GET would, without drawing an ID. */
    @HEAD
    public Response head(
            @PathParam("scheme") String scheme,
            @Context ContainerRequestContext request,
            @Context HttpServletRequest servlet) {
        IdRequest<?> asked = asked(scheme(scheme), query(request));
        Media media = media(request);
        ids.source().status(asked.scheme()).fenced().ifPresent(fenced -> {
            throw fenced;
        });
        OptionalLong length = ids.answer(asked, media).length();
        Response.ResponseBuilder ok = ok(media, length, servlet);
        return length.isPresent()
                ? ok.build()
                : ok.header("Transfer-Encoding", "chunked").build(); // Jetty would say 0
    }

    private static Map<String, List<String>> query(ContainerRequestContext request) {
        return request.getUriInfo().getQueryParameters();
    }

    private Scheme<?> scheme(String name) {
        return Schemes.named(name, ids.schemes());
    }

    private IdRequest<?> asked(Scheme<?> scheme, Map<String, List<String>> parameters) {
        return Query.read(() -> IdRequest.of(scheme, parameters, maxCounts));
    }

    /** The type that the client prefers. */
    private static Media media(ContainerRequestContext request) {
        Variant chosen = request.getRequest().selectVariant(VARIANTS);
        if (chosen == null) {
            throw new NotAcceptableException(
                    "Accept must allow one of " + OFFERED + ": " + request.getHeaderString(HttpHeaders.ACCEPT));
        }
        return MEDIA.get(VARIANTS.indexOf(chosen));
    }

    private Response answer(IdRequest<?> asked, ContainerRequestContext request, HttpServletRequest servlet) {
        Media media = media(request);
        IdAnswer answer = ids.answer(asked, media);
        ClientConnection client = ClientConnection.of(servlet);
        if (asked.streamed()) {
            StreamingOutput streamed = out -> stream(asked.scheme(), answer, client, out);
            return ok(media, answer.length(), servlet).entity(streamed).build();
        }
        byte[] whole = answer.whole(client);
        return ok(media, OptionalLong.of(whole.length), servlet).entity(whole).build();
    }

    private static Response.ResponseBuilder ok(Media media, OptionalLong length, HttpServletRequest servlet) {
        Response.ResponseBuilder ok = Response.ok().type(media.mediaType());
        if (servlet.getProtocol().equals("HTTP/1.0")) {
            ok.encoding("identity"); // compression would take the length away, and a part look like the whole
        }
        length.ifPresent(bytes -> ok.header(HttpHeaders.CONTENT_LENGTH, bytes));
        return ok;
    }

    /** A failure before the first byte is an error like any other. A later one closes the connection: Jersey would end a part in order. */
    private void stream(Scheme<?> scheme, IdAnswer answer, ClientConnection client, OutputStream out) {
        CountingOutputStream counted = new CountingOutputStream(out);
        try {
            answer.stream(counted, client);
        } catch (RuntimeException e) {
            if (counted.getCount() == 0 && !(e.getCause() instanceof IOException)) {
                throw e;
            }
            tell(scheme, counted.getCount() + whole(answer.length()) + " bytes", e);
            client.cutOff();
        }
    }

    private static String whole(OptionalLong length) {
        return length.isPresent() ? " of " + length.getAsLong() : "";
    }

    private void tell(Scheme<?> scheme, String sent, RuntimeException why) {
        String said = "Cut off an answer of " + scheme.name() + " after " + sent;
        if (why instanceof ClientGoneException) {
            LOG.debug("{}", said, why); // that is the client's own doing
        } else {
            cutOff.failed(scheme.name(), said, why);
        }
    }
}
