package org.idallocator.service.resources;

import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HEAD;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Answer;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.draw.Media;
import org.idallocator.service.logging.FailureLog;

/** {@code /ids/{scheme}}: draws IDs. */
@Path("/ids/{scheme}")
public final class IdsResource {
    /** Where the length is not known, HEAD says so, because Jetty would say 0. */
    private static final String TRANSFER_ENCODING = "Transfer-Encoding";

    private final IdSource source;
    private final Dispenser dispenser;
    private final OrderReader orders;
    private final FailureLog cutOff = StreamedAnswer.cutOff();

    public IdsResource(IdSource source, Dispenser dispenser, Counts counts) {
        this.source = source;
        this.dispenser = dispenser;
        this.orders = new OrderReader(counts);
    }

    @GET
    public Response get(@BeanParam Asked asked) {
        return draw(scheme(asked), asked, asked.uri().getQueryParameters());
    }

    /** Does what GET does; parameters in the body count as those of the query. */
    @POST
    public Response post(@BeanParam Asked asked, InputStream body) throws IOException {
        Scheme<?> scheme = scheme(asked);
        return draw(scheme, asked, RequestBody.parameters(asked, body));
    }

    /** Answers as GET would, without drawing an ID. */
    @HEAD
    public Response head(@BeanParam Asked asked) {
        Scheme<?> scheme = scheme(asked);
        Plan<?> plan = orders.read(scheme, asked.uri().getQueryParameters());
        Media media = Negotiation.media(asked.request(), asked.headers());
        source.status(scheme).fenced().ifPresent(fenced -> {
            throw fenced;
        });
        OptionalLong length = plan.answer(dispenser, media).length();
        if (length.isPresent()) {
            return ok(asked, media, length).build();
        }
        Http10.requireChunks(asked.servletRequest());
        return ok(asked, media, length).header(TRANSFER_ENCODING, "chunked").build();
    }

    private Scheme<?> scheme(Asked asked) {
        return Schemes.named(asked.scheme(), source.schemes());
    }

    private Response draw(Scheme<?> scheme, Asked asked, MultivaluedMap<String, String> parameters) {
        Plan<?> plan = orders.read(scheme, parameters);
        Media media = Negotiation.media(asked.request(), asked.headers());
        Answer answer = plan.answer(dispenser, media);
        ConnectedCaller caller = ConnectedCaller.of(asked.servletRequest());
        caller.worksOn(); // the body may have had to be waited for
        if (plan.order().streamed()) {
            if (answer.length().isEmpty()) {
                Http10.requireChunks(asked.servletRequest());
            }
            StreamedAnswer streamed = new StreamedAnswer(scheme, answer, caller, cutOff);
            return ok(asked, media, answer.length()).entity(streamed).build();
        }
        byte[] whole = answer.whole(caller);
        return ok(asked, media, OptionalLong.of(whole.length)).entity(whole).build();
    }

    private static Response.ResponseBuilder ok(Asked asked, Media media, OptionalLong length) {
        Response.ResponseBuilder ok = Response.ok().type(media.mediaType());
        Http10.keepLength(asked.servletRequest(), ok);
        length.ifPresent(bytes -> ok.header(HttpHeaders.CONTENT_LENGTH, bytes));
        return ok;
    }
}
