package org.idallocator.service.resources;

import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.idallocator.service.metrics.RequestCount;
import org.idallocator.service.metrics.RequestMetrics;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests that come to the application's context, and those that the {@link ExpressLane} answers before that, when they
 * are over: by the route, whoever answers, Jersey, the lane or the web server with an error. Thread-safe.
 */
final class RouteCounts {
    private final RequestMetrics metrics;
    private final Supplier<@Nullable String> jerseyPattern;
    private final RequestCount oneId;
    private final RequestCount oneIdAborted;

    /** {@code jerseyPattern} is that of Jersey's servlet, such as <code>/api/*</code>, once the server has started. */
    RouteCounts(RequestMetrics metrics, Supplier<@Nullable String> jerseyPattern) {
        this.metrics = metrics;
        this.jerseyPattern = jerseyPattern;
        this.oneId = metrics.count(RoutePaths.IDS, "GET", "200");
        this.oneIdAborted = metrics.count(RoutePaths.IDS, "GET", RequestMetrics.ABORTED);
    }

    /** The lane's answer to this request was sent, or could not be. Takes no lock and makes no garbage. */
    void oneId(Request request, boolean sent) {
        (sent ? oneId : oneIdAborted).ended(NanoTime.since(request.getHeadersNanoTime()));
    }

    /** Counts a request of the context when it is over. */
    void watch(Request request) {
        String route = RoutePaths.route(Request.getPathInContext(request), jerseyPattern.get());
        String method = request.getMethod();
        long beganNanos = request.getHeadersNanoTime();
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        request.addHttpStreamWrapper(stream -> new Watched(
                stream, endPoint, status -> metrics.count(route, method, status).ended(NanoTime.since(beganNanos))));
    }

    /** Hears what status goes out, and whether the answer comes to its end. */
    private static final class Watched extends HttpStream.Wrapper {
        private final EndPoint endPoint;
        private final Consumer<String> outcome;
        private int status;
        private boolean whole;

        Watched(HttpStream stream, EndPoint endPoint, Consumer<String> outcome) {
            super(stream);
            this.endPoint = endPoint;
            this.outcome = outcome;
        }

        @Override
        public void send(
                MetaData.Request request,
                MetaData.@Nullable Response response,
                boolean last,
                @Nullable ByteBuffer content,
                Callback callback) {
            if (response != null && !HttpStatus.isInformational(response.getStatus())) {
                status = response.getStatus();
            }
            super.send(request, response, last, content, last && endPoint.isOpen() ? sent(callback) : callback);
        }

        private Callback sent(Callback callback) {
            return new Callback.Nested(callback) {
                @Override
                public void succeeded() {
                    whole = true;
                    super.succeeded();
                }
            };
        }

        /** Jetty calls this also where a servlet has ended in order on a connection that was closed before the answer's end. */
        @Override
        public void succeeded() {
            outcome.accept(whole ? String.valueOf(status) : RequestMetrics.ABORTED);
            super.succeeded();
        }

        @Override
        public void failed(Throwable x) {
            outcome.accept(RequestMetrics.ABORTED);
            super.failed(x);
        }
    }
}
