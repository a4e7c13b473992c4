package org.idallocator.service.server;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.http.Connectors;
import org.idallocator.dropwizard.http.Route;
import org.jspecify.annotations.Nullable;

/**
 * The outermost handler. It answers a plain GET for one ID that can be drawn without waiting, on the thread on which
 * Jetty calls it: a selector's thread, or one of the pool where more has come behind the request. The answer has the
 * headers and the bytes that Jersey's answer has. Every other request goes on as it came, before anything is drawn: one
 * that is not among the {@link PlainRequests}, one for a scheme that is fenced, and one that finds its tick used up. A
 * server that stops answers nothing here. Thread-safe; never waits.
 */
final class SingleIdHandler extends Handler.Wrapper {
    private final PlainRequests requests;
    private final RequestMetrics.Outcome sent;
    private final RequestMetrics.Outcome aborted;

    /** A handler of these requests; {@code metrics} counts the answers. */
    SingleIdHandler(PlainRequests requests, RequestMetrics metrics) {
        this.requests = requests;
        sent = metrics.outcome(Route.IDS.path(), "GET", "200");
        aborted = metrics.outcome(Route.IDS.path(), "GET", RequestMetrics.ABORTED);
    }

    /**
     * Non-blocking where nothing on the request's thread may wait. A request log is written there, TLS is spoken there,
     * and a handler in front of this one may wait.
     */
    @Override
    public InvocationType getInvocationType() {
        Server server = getServer();
        boolean quick = server.getHandler() == this
                && server.getRequestLog() == null
                && Arrays.stream(server.getConnectors()).noneMatch(Connectors::speaksTls);
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

    /**
     * Whether nothing has come behind the request on its connection. Jetty handles requests that came together one
     * after the other on one thread. So a client that never stops sending would keep the selector from all other
     * clients.
     */
    private static boolean isAlone(Connection connection) {
        return connection instanceof HttpConnection http && http.isRequestBufferEmpty();
    }

    private boolean answer(Request request, Response response, Callback callback) throws Exception {
        PlainRequests.PreparedAnswer prepared = prepared(request);
        Optional<byte[]> drawn =
                prepared == null ? Optional.empty() : prepared.answer().poll();
        if (prepared == null || drawn.isEmpty()) {
            return super.handle(request, response, callback);
        }
        byte[] bytes = drawn.get();
        response.setStatus(HttpStatus.OK_200);
        prepared.putHeadersInto(response.getHeaders());
        response.getHeaders().add(new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, bytes.length));
        response.write(true, ByteBuffer.wrap(bytes), RequestMetrics.counting(sent, aborted, request, callback));
        return true;
    }

    private PlainRequests.@Nullable PreparedAnswer prepared(Request request) {
        ConnectionMetaData connection = request.getConnectionMetaData();
        boolean plain = getServer().isRunning()
                && connection.getHttpVersion() == HttpVersion.HTTP_1_1
                && !Connectors.isOfAdminPort(connection.getConnector());
        return plain
                ? requests.answerTo(request.getMethod(), request.getHttpURI().getPathQuery(), request.getHeaders())
                : null;
    }
}
