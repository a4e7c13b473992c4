package org.idallocator.dropwizard.resources;

import static org.eclipse.jetty.ee10.servlet.ServletContextRequest.getServletContextRequest;

import com.google.common.io.CountingOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.core.UriInfo;
import jakarta.ws.rs.core.Variant;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.glassfish.jersey.server.ContainerRequest;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.Catalogue;
import org.idallocator.dropwizard.api.Catalogue.SchemeEntry;
import org.idallocator.dropwizard.api.Catalogue.ZooKeeperEntry;
import org.idallocator.dropwizard.api.Inspection;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.decode.IdParser;
import org.idallocator.dropwizard.ids.ClientGoneException;
import org.idallocator.dropwizard.ids.IdAnswer;
import org.idallocator.dropwizard.ids.IdRequest;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.dropwizard.ids.Media;
import org.idallocator.dropwizard.logging.FailureLog;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;
import org.idallocator.zk.operator.Holder;
import org.slf4j.LoggerFactory;

/** {@code /ids}: the schemes that this replica serves, their IDs, and what an ID says. */
@Path("/ids")
public final class IdsResource {
    private static final List<Media> MEDIA = List.of(Media.values());
    private static final List<Variant> VARIANTS = MEDIA.stream()
            .map(media -> new Variant(MediaType.valueOf(media.mediaType()), (String) null, null))
            .toList();
    private static final String OFFERED = MEDIA.stream().map(Media::mediaType).collect(Collectors.joining(", "));

    /** HTTP/1.0 has no chunks, so only the length tells a whole answer from a part. */
    private static final String HTTP_1_0 = "HTTP/1.0";

    private final IdService ids;
    private final MaxCounts maxCounts;
    private final Supplier<ZooKeeperEntry> zookeeper;
    private final Visibility visibility;
    private final FailureLog cutOff = new FailureLog(LoggerFactory.getLogger(IdsResource.class));

    /** {@code visibility} is what the answers may tell. */
    public IdsResource(IdService ids, MaxCounts maxCounts, Supplier<ZooKeeperEntry> zookeeper, Visibility visibility) {
        this.ids = ids;
        this.maxCounts = maxCounts;
        this.zookeeper = zookeeper;
        this.visibility = visibility;
    }

    @GET
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] catalogue(@Context UriInfo uri) {
        DrawParameters.requireNone(uri);
        List<SchemeEntry> entries = ids.source().schemes().stream()
                .map(scheme -> SchemeEntry.of(
                        scheme,
                        maxCounts.largest(scheme, scheme.defaultVariant()),
                        visibility.redacted(ids.source().status(scheme))))
                .toList();
        return visibility.json(
                new Catalogue(entries, zookeeper.get(), ids.source().outage()));
    }

    /** What an ID says. */
    @GET
    @Path("{scheme}/{id}")
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] inspect(
            @PathParam("id") String text, @Context ContainerRequest request, @Context HttpServletRequest servlet) {
        Scheme<?> scheme = scheme(request);
        Optional<String> form = DrawParameters.form(request.getUriInfo());
        ClientConnection client = new ClientConnection(getServletContextRequest(servlet));
        return visibility.json(inspect(scheme, text, form, client));
    }

    private <T extends Id> Inspection inspect(
            Scheme<T> scheme, String text, Optional<String> form, ClientConnection client) {
        T id = Problems.asBadRequest(() -> IdParser.parse(scheme, text, form));
        OptionalLong slot = scheme.slotOf(id);
        client.releasePermit(); // waiting for ZooKeeper is no work
        Holder holder = slot.isEmpty() ? Holder.nobody() : ids.source().holder(scheme, slot.getAsLong());
        return Inspection.of(scheme, id, visibility.redacted(holder));
    }

    /** Answers with IDs. */
    @GET
    @Path("{scheme}")
    public Response get(@Context ContainerRequest request, @Context HttpServletRequest servlet) {
        return answer(request, servlet);
    }

    /** Does what GET does; parameters in the body count as those of the query. */
    @POST
    @Path("{scheme}")
    public Response post(@Context ContainerRequest request, @Context HttpServletRequest servlet) {
        return answer(request, servlet);
    }

    /** Answers with the headers of GET, without drawing an ID. */
    @HEAD
    @Path("{scheme}")
    public Response head(@Context ContainerRequest request, @Context HttpServletRequest servlet) {
        IdRequest<?> asked = DrawParameters.request(scheme(request), request, maxCounts);
        Media media = media(request);
        ids.source().status(asked.scheme()).fenced().ifPresent(fenced -> {
            throw fenced;
        });
        OptionalLong length = mayBeCompressed(asked, request, servlet)
                ? OptionalLong.empty()
                : ids.answer(asked, media).length();
        Response.ResponseBuilder ok = ok(media, length, servlet);
        return length.isPresent()
                ? ok.build()
                : ok.header("Transfer-Encoding", "chunked")
                        .build(); // without this, Jetty would say that the length is 0
    }

    /**
     * Whether the server may compress the answer to a GET, so that its length depends on its IDs. An answer of one ID
     * is too short to be compressed.
     */
    private static boolean mayBeCompressed(IdRequest<?> asked, ContainerRequest request, HttpServletRequest servlet) {
        String accepted = request.getHeaderString(HttpHeaders.ACCEPT_ENCODING);
        return asked.ids() > 1
                && accepted != null
                && accepted.contains("gzip")
                && !servlet.getProtocol().equals(HTTP_1_0);
    }

    private Scheme<?> scheme(ContainerRequest request) {
        return Schemes.named(
                request.getUriInfo().getPathParameters().getFirst("scheme"),
                ids.source().schemes());
    }

    /** The type that the client prefers. */
    private static Media media(ContainerRequest request) {
        Variant chosen = request.selectVariant(VARIANTS);
        if (chosen == null) {
            throw new ApiException(
                    ProblemType.NOT_ACCEPTABLE,
                    "Accept must allow one of " + OFFERED + ": " + request.getHeaderString(HttpHeaders.ACCEPT));
        }
        return MEDIA.get(VARIANTS.indexOf(chosen));
    }

    private Response answer(ContainerRequest request, HttpServletRequest servlet) {
        IdRequest<?> asked = DrawParameters.request(scheme(request), request, maxCounts);
        Media media = media(request);
        IdAnswer answer = ids.answer(asked, media);
        ClientConnection client = new ClientConnection(getServletContextRequest(servlet));
        if (asked.isStreamed()) {
            StreamingOutput streamed = out -> stream(asked.scheme(), answer, client, out);
            return ok(media, answer.length(), servlet).entity(streamed).build();
        }
        byte[] whole = answer.drawWhole(client);
        return ok(media, OptionalLong.of(whole.length), servlet).entity(whole).build();
    }

    private static Response.ResponseBuilder ok(Media media, OptionalLong length, HttpServletRequest servlet) {
        Response.ResponseBuilder ok = Response.ok().type(media.mediaType());
        if (servlet.getProtocol().equals(HTTP_1_0)) {
            ok.encoding("identity"); // without a length, a part would look like the whole
        }
        length.ifPresent(bytes -> ok.header(HttpHeaders.CONTENT_LENGTH, bytes));
        return ok;
    }

    /**
     * Streams an answer. A failure before the first byte is answered as an error like any other. After a later failure
     * the answer is cut off, because Jersey would end the part in order, and it would look whole.
     */
    private void stream(Scheme<?> scheme, IdAnswer answer, ClientConnection client, OutputStream out)
            throws IOException {
        CountingOutputStream counted = new CountingOutputStream(out);
        try {
            answer.stream(counted, client);
        } catch (RuntimeException e) {
            if (counted.getCount() == 0 && !(e.getCause() instanceof IOException)) {
                throw e;
            }
            if (!(e instanceof ClientGoneException)) { // that would be the client's own doing
                String said = "Cut off an answer of " + scheme.name() + " after " + counted.getCount() + " bytes";
                cutOff.failed(scheme.name(), said, e);
            }
            client.cutOff(e);
            counted.flush(); // fails, and closes the output: Jersey would log, as an error, that it cannot flush it
        }
    }
}
