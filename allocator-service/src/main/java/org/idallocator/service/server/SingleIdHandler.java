package org.idallocator.service.server;

import static org.eclipse.jetty.http.HttpHeader.ACCEPT;
import static org.eclipse.jetty.http.HttpHeader.ACCEPT_CHARSET;
import static org.eclipse.jetty.http.HttpHeader.CONTENT_ENCODING;
import static org.eclipse.jetty.http.HttpHeader.CONTENT_LENGTH;
import static org.eclipse.jetty.http.HttpHeader.EXPECT;
import static org.eclipse.jetty.http.HttpHeader.ORIGIN;
import static org.eclipse.jetty.http.HttpHeader.TRANSFER_ENCODING;

import com.google.common.collect.Maps;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.http.BasePath;
import org.idallocator.service.http.CommonHeaders;
import org.idallocator.service.http.Route;
import org.idallocator.service.ids.IdAnswer;
import org.idallocator.service.ids.IdRequest;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.Media;
import org.idallocator.service.metrics.RequestMetrics;
import org.idallocator.service.resources.ClientConnection;
import org.jspecify.annotations.Nullable;

/**
 * The outermost handler: answers a plain GET for one ID that can be drawn without waiting, on the thread on which Jetty calls it, which is
 * the selector's, or, where requests came together, on a thread of the pool. The answer has the header and the bytes that Jersey's has. All else goes on as it came, before anything is drawn:
 * other targets, methods and Accepts, bodies, other origins, a scheme that is fenced, a tick that is used
 * up. A server that stops answers nothing here. Thread-safe; never waits.
 */
final class SingleIdHandler extends Handler.Wrapper {
    /**
     * The types that clients are given, by what they accept: a type alone, or what widely used ones send by themselves, word for word: axios
     * and Angular; Spring, for a String and for anything else; Java's URLConnection.
     */
    private static final Map<String, Media> ACCEPTED = Map.of(
            "*/*", Media.TEXT,
            "text/plain", Media.TEXT,
            "application/json", Media.JSON,
            "application/x-ndjson", Media.NDJSON,
            "application/json, text/plain, */*", Media.JSON,
            "text/plain, application/json, application/*+json, */*", Media.TEXT,
            "application/json, application/*+json", Media.JSON,
            "text/html, image/gif, image/jpeg, */*; q=0.2", Media.TEXT);

    /** Headers by which a request is no plain one, a second Accept among them. All others change nothing in the answer. */
    private static final Set<HttpHeader> UNUSUAL =
            EnumSet.of(ACCEPT, ORIGIN, EXPECT, CONTENT_LENGTH, CONTENT_ENCODING, TRANSFER_ENCODING, ACCEPT_CHARSET);

    private final Map<String, Map<Media, Ready>> byTarget = new HashMap<>();
    private final CommonHeaders vary;
    private final RequestMetrics.Outcome sent;
    private final RequestMetrics.Outcome aborted;

    /**
     * A handler for the schemes that are served.
     *
     * @param base what comes before the paths of the routes
     * @param vary what an answer depends on
     * @param metrics counts the answers
     */
    SingleIdHandler(IdService ids, BasePath base, CommonHeaders vary, RequestMetrics metrics) {
        this.vary = vary;
        sent = metrics.outcome(Route.IDS.path(), "GET", "200");
        aborted = metrics.outcome(Route.IDS.path(), "GET", RequestMetrics.ABORTED);
        ids.source()
                .schemes()
                .forEach(scheme ->
                        prepare(base.onPort() + Route.IDS.path().replace("{scheme}", scheme.name()), scheme, ids));
    }

    private <T extends Id> void prepare(String path, Scheme<T> scheme, IdService ids) {
        for (Form<T> form : Forms.all(scheme)) {
            IdRequest<T> one = new IdRequest<>(scheme, 1, false, scheme.defaultVariant(), form);
            Map<Media, Ready> answers = ready(ids, one);
            byTarget.put(path + "?form=" + form.name(), answers);
            if (form.name().equals(Form.CANONICAL)) {
                byTarget.put(path, answers);
            }
        }
    }

    private static Map<Media, Ready> ready(IdService ids, IdRequest<?> request) {
        return Maps.immutableEnumMap(Maps.toMap(EnumSet.allOf(Media.class), media -> {
            HttpField type = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, media.mediaType());
            return new Ready(ids.answer(request, media), type);
        }));
    }

    /** An answer to many requests, whose bytes are drawn for each; and its Content-Type. */
    private record Ready(IdAnswer answer, HttpField type) {}

    /** A log is written, and TLS is spoken, on the thread of the request; and a handler in front of this one may wait. */
    @Override
    public InvocationType getInvocationType() {
        Server server = getServer();
        boolean quick = server.getHandler() == this
                && server.getRequestLog() == null
                && Arrays.stream(server.getConnectors()).allMatch(each -> each.getConnectionFactory("SSL") == null);
        return quick ? InvocationType.NON_BLOCKING : InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (isAlone(request.getConnectionMetaData().getConnection())) {
            return answer(request, response, callback);
        }
        ConnectorPool.handle(this::answer, request, response, callback);
        return true;
    }

    private boolean answer(Request request, Response response, Callback callback) throws Exception {
        Ready ready = getServer().isRunning() ? ready(request) : null;
        Optional<byte[]> drawn =
                ready == null ? Optional.empty() : ready.answer().poll();
        if (ready == null || drawn.isEmpty()) {
            return super.handle(request, response, callback);
        }
        byte[] bytes = drawn.get();
        response.setStatus(HttpStatus.OK_200);
        vary.putInto(response);
        response.getHeaders().add(ready.type());
        CommonHeaders.EVERYWHERE.putInto(response);
        response.getHeaders().add(new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, bytes.length));
        response.write(true, ByteBuffer.wrap(bytes), counted(request.getHeadersNanoTime(), callback));
        return true;
    }

    /** The answer that a plain request asks for. */
    private @Nullable Ready ready(Request request) {
        String target = request.getHttpURI().getPathQuery();
        Map<Media, Ready> answers = target == null ? null : byTarget.get(target);
        if (answers == null || !HttpMethod.GET.is(request.getMethod())) {
            return null;
        }
        Media media = accepted(request.getHeaders());
        ConnectionMetaData connection = request.getConnectionMetaData();
        return media != null
                        && connection.getHttpVersion() == HttpVersion.HTTP_1_1
                        && !"admin".equals(connection.getConnector().getName())
                ? answers.get(media)
                : null;
    }

    private static @Nullable Media accepted(HttpFields headers) {
        String accept = null;
        for (int i = 0; i < headers.size(); i++) { // by place, because an iterator is garbage
            HttpField field = headers.getField(i);
            HttpHeader header = field.getHeader();
            if (header == ACCEPT && accept == null) {
                accept = String.valueOf(field.getValue());
            } else if (header != null && UNUSUAL.contains(header) && !isNoBody(field)) {
                return null;
            }
        }
        return accept == null ? Media.TEXT : ACCEPTED.get(accept);
    }

    private static boolean isNoBody(HttpField field) {
        return field.getHeader() == HttpHeader.CONTENT_LENGTH && "0".equals(field.getValue());
    }

    /**
     * Whether nothing has come behind the request on its connection. Jetty handles requests that came together one after another on
     * one thread: a client that sends without end would keep the selector from all others.
     */
    private static boolean isAlone(Connection connection) {
        return connection instanceof Connection.UpgradeFrom && !ClientConnection.hasMore(connection);
    }

    /** Counts an answer when it was sent, or could not be. */
    private Callback counted(long fromNanos, Callback callback) {
        return Callback.from(
                callback.getInvocationType(),
                () -> {
                    sent.after(NanoTime.since(fromNanos));
                    callback.succeeded();
                },
                why -> {
                    aborted.after(NanoTime.since(fromNanos));
                    callback.failed(why);
                });
    }
}
