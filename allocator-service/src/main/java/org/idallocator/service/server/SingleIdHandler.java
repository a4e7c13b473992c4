package org.idallocator.service.server;

import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.idallocator.service.ids.IdAnswer;
import org.idallocator.service.ids.Media;
import org.idallocator.service.metrics.RequestMetrics;
import org.jspecify.annotations.Nullable;

/**
 * The outermost handler: answers a plain GET for one ID that can be drawn without waiting, on the thread on which Jetty calls it, which is
 * the selector's. The answer has the header and the bytes that Jersey's has. All else goes on as it came, before anything is drawn:
 * other targets, methods and Accepts, bodies, other origins, a scheme that is fenced, a tick that is used up. A server that
 * stops answers nothing here. Thread-safe; never waits.
 */
final class SingleIdHandler extends Handler.Wrapper {
    /** Headers by which a request is no plain one. All others change nothing in the answer. */
    private static final Set<HttpHeader> UNUSUAL = EnumSet.of(
            HttpHeader.ORIGIN,
            HttpHeader.EXPECT,
            HttpHeader.CONTENT_LENGTH,
            HttpHeader.CONTENT_ENCODING,
            HttpHeader.TRANSFER_ENCODING,
            HttpHeader.ACCEPT_CHARSET);

    private static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store");

    private final Map<String, Map<String, Ready>> byTarget;
    private final HttpField vary;
    private final RequestMetrics.Ids metrics;

    /**
     * A handler.
     *
     * @param byTarget answers, by a request's path with its query, and by its Accept
     * @param vary what an answer depends on
     * @param metrics counts the answers
     */
    SingleIdHandler(Map<String, Map<String, Ready>> byTarget, String vary, RequestMetrics.Ids metrics) {
        this.byTarget = byTarget;
        this.vary = new PreEncodedHttpField(HttpHeader.VARY, vary);
        this.metrics = metrics;
    }

    /** An answer to many requests, whose bytes are drawn for each; and its Content-Type. */
    record Ready(IdAnswer answer, HttpField contentType) {
        static Ready of(IdAnswer answer, Media media) {
            return new Ready(answer, new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, media.mediaType()));
        }
    }

    /** A log is written, and TLS is spoken, on the thread of the request; and a handler in front of this one may wait. */
    @Override
    public InvocationType getInvocationType() {
        Server server = getServer();
        boolean quick =
                server.getHandler() == this && server.getRequestLog() == null && FrontHandlers.noneHasTls(server);
        return quick ? InvocationType.NON_BLOCKING : InvocationType.BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        Ready ready = ready(request);
        if (ready == null || !getServer().isRunning()) {
            return super.handle(request, response, callback);
        }
        if (isAlone(request.getConnectionMetaData().getConnection())) {
            return answer(ready, request, response, callback) || super.handle(request, response, callback);
        }
        FrontHandlers.dispatch(request, callback, () -> pass(ready, request, response, callback));
        return true;
    }

    /** The answer that a plain request asks for. */
    private @Nullable Ready ready(Request request) {
        String target = request.getHttpURI().getPathQuery();
        Map<String, Ready> byAccept = target == null ? null : byTarget.get(target);
        return byAccept != null
                        && HttpMethod.GET.is(request.getMethod())
                        && request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
                        && !FrontHandlers.isOfAdminPort(request)
                ? accepted(byAccept, request.getHeaders())
                : null;
    }

    private static @Nullable Ready accepted(Map<String, Ready> byAccept, HttpFields headers) {
        String accept = null;
        for (int i = 0; i < headers.size(); i++) { // by place, because an iterator is garbage
            HttpField field = headers.getField(i);
            HttpHeader header = field.getHeader();
            boolean again = header == HttpHeader.ACCEPT && accept != null;
            if (again || (header != null && UNUSUAL.contains(header) && !isNoBody(field))) {
                return null;
            }
            accept = header == HttpHeader.ACCEPT ? field.getValue() : accept;
        }
        return byAccept.get(accept == null ? "*/*" : accept);
    }

    private static boolean isNoBody(HttpField field) {
        return field.getHeader() == HttpHeader.CONTENT_LENGTH && "0".equals(field.getValue());
    }

    /**
     * Whether nothing has come behind the request on its connection. Jetty handles requests that came together one after another on
     * one thread: a client that sends without end would keep the selector from all others.
     */
    private static boolean isAlone(Connection connection) {
        if (!(connection instanceof Connection.UpgradeFrom from && connection instanceof Connection.UpgradeTo to)) {
            return false;
        }
        ByteBuffer more = from.onUpgradeFrom();
        if (more == null) {
            return true;
        }
        to.onUpgradeTo(more);
        return false;
    }

    private void pass(Ready ready, Request request, Response response, Callback callback) {
        if (!answer(ready, request, response, callback)) {
            FrontHandlers.pass(getHandler(), request, response, callback);
        }
    }

    /** Whether one could be drawn without waiting. */
    private boolean answer(Ready ready, Request request, Response response, Callback callback) {
        Optional<byte[]> drawn = ready.answer().poll();
        drawn.ifPresent(bytes -> {
            response.setStatus(200);
            response.getHeaders()
                    .add(vary)
                    .add(ready.contentType())
                    .add(NO_STORE)
                    .add(new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, bytes.length));
            response.write(true, ByteBuffer.wrap(bytes), new Sent(metrics, request.getHeadersNanoTime(), callback));
        });
        return drawn.isPresent();
    }

    /** Counts an answer when it was sent, or could not be. */
    private record Sent(RequestMetrics.Ids metrics, long fromNanos, Callback next) implements Callback {
        @Override
        public void succeeded() {
            metrics.ended(true, NanoTime.since(fromNanos));
            next.succeeded();
        }

        @Override
        public void failed(Throwable x) {
            metrics.ended(false, NanoTime.since(fromNanos));
            next.failed(x);
        }

        @Override
        public InvocationType getInvocationType() {
            return next.getInvocationType();
        }
    }
}
