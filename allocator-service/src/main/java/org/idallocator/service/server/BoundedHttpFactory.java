package org.idallocator.service.server;

import com.codahale.metrics.MetricRegistry;
import com.codahale.metrics.Timer;
import io.dropwizard.metrics.jetty12.InstrumentedConnectionFactory;
import java.nio.ByteBuffer;
import java.util.OptionalLong;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/**
 * Makes HTTP connections whose memory is at most a few times what their clients send:
 *
 * <ul>
 *   <li>The number of header fields of a request is bounded. Jetty bounds their bytes only, and a field of five bytes
 *       takes 130 bytes of heap.
 *   <li>No connection keeps the header fields of a request for the next request. Jetty's cache for these takes 50 KB
 *       from the second request on.
 * </ul>
 *
 * <p>Where a {@link ConnectionLimit} wants it, connections make way for others.
 */
final class BoundedHttpFactory extends HttpConnectionFactory {
    private final int maxFields;
    private final ConnectionLimit limit;

    private BoundedHttpFactory(HttpConnectionFactory original, int maxFields, ConnectionLimit limit) {
        super(withoutHeaderCache(original.getHttpConfiguration()));
        this.maxFields = maxFields;
        this.limit = limit;
        setInputBufferSize(original.getInputBufferSize());
    }

    private static HttpConfiguration withoutHeaderCache(HttpConfiguration original) {
        HttpConfiguration copy = new HttpConfiguration(original);
        copy.setHeaderCacheSize(0);
        return copy;
    }

    /**
     * Replaces the HTTP factory that Dropwizard has made for a connector. The new factory counts connections in the
     * same timer of {@code metrics} as the old one. A factory behind TLS has none.
     *
     * @param limit says when connections are to make way
     */
    static void install(ServerConnector connector, int maxFields, ConnectionLimit limit, MetricRegistry metrics) {
        ConnectionFactory made = connector.getConnectionFactory(HttpVersion.HTTP_1_1.asString());
        if (made instanceof InstrumentedConnectionFactory counted) {
            String port = Integer.toString(connector.getPort());
            Timer timer = metrics.timer(
                    MetricRegistry.name(HttpConnectionFactory.class, connector.getHost(), port, "connections"));
            HttpConnectionFactory bounded =
                    new BoundedHttpFactory(counted.getBean(HttpConnectionFactory.class), maxFields, limit);
            connector.addConnectionFactory(new InstrumentedConnectionFactory(bounded, timer));
        } else if (made instanceof HttpConnectionFactory behindTls) {
            connector.addConnectionFactory(new BoundedHttpFactory(behindTls, maxFields, limit));
        } else {
            throw new IllegalStateException("nothing bounds the connections of " + connector + ": " + made);
        }
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
        HttpConnection connection =
                new BoundedConnection(getHttpConfiguration(), connector, endPoint, maxFields, limit);
        connection.setTransferEncodingChunkMaxLength(getTransferEncodingChunkMaxLength());
        return configure(connection, connector, endPoint);
    }

    /**
     * A connection that knows for how long it has been without a whole request, and that makes way for others where the
     * server is crowded: an answer ends the connection if it refuses the request, or if the connection has had its
     * turn. A turn is so many requests, or so much time, whichever ends first. With longer turns, those who wait would
     * wait for longer; with shorter ones, more of the requests would be the first on a new connection.
     */
    static final class BoundedConnection extends HttpConnection {
        private static final int REQUESTS_OF_A_TURN = 256;
        private static final long MILLIS_OF_A_TURN = 5_000;

        private final int maxFields;
        private final ConnectionLimit limit;
        private final long madeNanos = NanoTime.now();

        /**
         * When the connection was made, its latest request began, or that request ended, whichever is later. A client
         * cannot move this by sending a byte of a head now and then.
         */
        private volatile long quietSinceNanos = NanoTime.now();

        BoundedConnection(
                HttpConfiguration configuration,
                Connector connector,
                EndPoint endPoint,
                int maxFields,
                ConnectionLimit limit) {
            super(configuration, connector, endPoint);
            this.maxFields = maxFields;
            this.limit = limit;
        }

        /**
         * How many milliseconds ago the connection was made, its latest request began, or that request ended; empty
         * while a request is being handled.
         */
        OptionalLong millisWithoutRequest() {
            return getHttpChannel().getRequest() == null
                    ? OptionalLong.of(NanoTime.millisSince(quietSinceNanos))
                    : OptionalLong.empty();
        }

        /**
         * Has the connection end with this answer if it is to make way. The answer has a length, or comes in chunks, so
         * that the client knows where it ends.
         */
        private void endIfDue(MetaData.Response response, boolean last) {
            boolean may = limit.isCrowded()
                    && (response.getStatus() == HttpStatus.SERVICE_UNAVAILABLE_503 || hasHadItsTurn())
                    && (last || hasAnEnd(response.getHttpFields()))
                    && isPersistent();
            if (may && limit.tryMakeWay()) {
                getGenerator().setPersistent(false);
            }
        }

        private static boolean hasAnEnd(HttpFields head) {
            return head.contains(HttpHeader.CONTENT_LENGTH) || head.contains(HttpHeader.TRANSFER_ENCODING);
        }

        private boolean hasHadItsTurn() {
            return getMessagesIn() >= REQUESTS_OF_A_TURN || NanoTime.millisSince(madeNanos) >= MILLIS_OF_A_TURN;
        }

        @Override
        protected HttpStreamOverHTTP1 newHttpStream(String method, String uri, HttpVersion version) {
            return new HttpStreamOverHTTP1(method, uri, version) {
                @Override
                public void send(
                        MetaData.Request request,
                        MetaData.@Nullable Response response,
                        boolean last,
                        @Nullable ByteBuffer content,
                        Callback callback) {
                    if (response != null) {
                        endIfDue(response, last);
                    }
                    super.send(request, response, last, content, callback);
                }

                @Override
                public void succeeded() {
                    quietSinceNanos = NanoTime.now();
                    super.succeeded();
                }
            };
        }

        @Override
        protected RequestHandler newRequestHandler() {
            return new FieldCounter();
        }

        /** Counts the header fields of a request. Trailers, which follow the body, count as well. */
        private final class FieldCounter extends RequestHandler {
            private int fields;

            @Override
            public void startRequest(String method, String uri, HttpVersion version) {
                fields = 0;
                quietSinceNanos = NanoTime.now();
                super.startRequest(method, uri, version);
            }

            @Override
            public void parsedHeader(HttpField field) {
                count();
                super.parsedHeader(field);
            }

            @Override
            public void parsedTrailer(HttpField field) {
                count();
                super.parsedTrailer(field);
            }

            private void count() {
                fields++;
                if (fields > maxFields) {
                    throw new HttpException.RuntimeException(
                            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                            "a request must have " + maxFields + " header fields at most (limits.fields)");
                }
            }
        }
    }
}
