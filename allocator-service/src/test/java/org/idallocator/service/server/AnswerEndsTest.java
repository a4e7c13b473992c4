package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Keys;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * However an answer ends, its place, its permit and, where it is large, its stream are free afterwards. A connection
 * whose answer did not come to its end is closed; over HTTP/2, that is the request's stream alone.
 */
class AnswerEndsTest {
    /**
     * Each larger than what a socket or a stream takes while nobody reads: of a known length, and of one that is not
     * known before.
     */
    private static final List<String> LARGE = List.of(
            "/ids/gid?count=10000",
            "/ids/gid?count=1000000",
            "/ids/eightbyte?form=decimal&count=10000",
            "/ids/eightbyte?form=decimal&count=100000");

    /** Of all answers together, so many IDs at least are sent before the source fails. */
    private static final int UNTIL_CUT_OFF = 60_000;

    private static final String BREAKS = "X-Breaks";
    private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: ([0-9]+)\r\n");

    /** Of either side's socket: so little that no answer fits. */
    private static final int BUFFER = 4_096;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Keys keys;

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static HTTP2Client http2;

    private enum Protocol {
        HTTP_1_1,
        TLS,
        HTTP_2
    }

    private enum End {
        /** The client reads nothing for longer than {@code idleTimeout}. */
        IDLE,
        /** The client resets the connection, or the stream of its request. */
        RESET,
        /** The client ends its sending side, which counts as gone, and reads nothing. */
        HALF_CLOSED,
        /** A write fails, and the connection stays open. */
        WRITE_FAILED,
        /** The source has no more IDs, in the middle of large answers. */
        CUT_OFF
    }

    /** Whoever asks, and does not read but for what it says. */
    private interface Client extends AutoCloseable {
        /** Waits until the answer has begun. */
        void awaitBegin(End end) throws Exception;

        void end(End how) throws Exception;

        /** Waits until the answer has ended, without its end. */
        void awaitCutOff() throws Exception;

        @Override
        void close() throws IOException;
    }

    /** Over TLS and HTTP/2, a client that ends its sending side ends the connection, or ends every request so. */
    private static Stream<Arguments> ends() {
        return Stream.of(Protocol.values())
                .flatMap(protocol -> Stream.of(End.values())
                        .filter(end -> end != End.HALF_CLOSED || protocol == Protocol.HTTP_1_1)
                        .map(end -> Arguments.of(protocol, end)));
    }

    @BeforeAll
    static void start() throws Exception {
        keys = new Keys(directory).make("replica", "CN=localhost");
        Path file = Files.writeString(
                directory.resolve("service.yml"), """
                allocator: {maxWait: 1m, zookeeper: {embedded: {enabled: true, dataDir: /dev/null/none}}}
                server:
                  applicationConnectors:
                    - {type: http, port: 0, idleTimeout: 2s}
                    - {type: https, port: 0, idleTimeout: 2s, keyStorePath: '%s', keyStorePassword: %s}
                  adminConnectors: [{type: http, port: 0}]
                  requestLog: {appenders: []}
                logging: {level: WARN, appenders: [{type: console, target: stderr}]}
                """.formatted(keys.store("replica"), Keys.PASSWORD));
        service = RunningService.startObedient(file, server -> {
            Stream.of(server.getConnectors()).forEach(AnswerEndsTest::prepare);
            server.insertHandler(new BreakingHandler());
        });
        http2 = new HTTP2Client();
        http2.setInitialStreamRecvWindow(4 * BUFFER);
        http2.start();
    }

    /** HTTP/2 where no TLS is spoken, and a socket that takes little of an answer that nobody reads. */
    private static void prepare(Connector connector) {
        if (connector instanceof ServerConnector own) {
            own.setAcceptedSendBufferSize(BUFFER);
            if (connector.getConnectionFactory("SSL") == null) {
                own.addConnectionFactory(new HTTP2CServerConnectionFactory(new HttpConfiguration()));
            }
        }
    }

    @AfterAll
    static void stop() throws Exception {
        http2.stop();
        service.close();
    }

    @AfterEach
    void serve() {
        application().source().serve();
    }

    private static ObedientApplication application() {
        return service.support().getApplication();
    }

    @ParameterizedTest
    @MethodSource("ends")
    void shouldGiveBackPlacePermitAndStreamHoweverAnAnswerEnds(Protocol protocol, End end) throws Exception {
        List<Client> clients = new ArrayList<>();
        try {
            if (end == End.CUT_OFF) {
                application().source().fenceAfter(UNTIL_CUT_OFF);
            }
            for (String path : large(end)) {
                clients.add(asked(protocol, path, end));
            }
            for (Client client : clients) {
                client.awaitBegin(end);
                client.end(end);
            }
            await("every place is free").until(() -> service.taken(Limit.REQUESTS) == 0);
            await("every permit is free").until(() -> FreePermits.of(service) == RunningService.PERMITS);
            await("every stream is free")
                    .until(() -> application().ids().places(Limit.STREAMS).taken() == 0);
            if (end == End.WRITE_FAILED || end == End.CUT_OFF) {
                for (Client client : clients) {
                    client.awaitCutOff();
                }
            }
        } finally {
            for (Client client : clients) {
                client.close();
            }
        }
    }

    /** What is collected before it is sent is not cut off, but refused. */
    private static List<String> large(End end) {
        return end == End.CUT_OFF
                ? LARGE.stream().filter(path -> path.endsWith("00000")).toList()
                : LARGE;
    }

    private static Client asked(Protocol protocol, String path, End end) throws Exception {
        boolean breaks = end == End.WRITE_FAILED;
        return protocol == Protocol.HTTP_2
                ? new Http2Client(path, breaks)
                : new Http1Client(protocol == Protocol.TLS, path, breaks);
    }

    private static int port(boolean tls) {
        return Stream.of(service.server().getConnectors())
                .filter(connector -> "application".equals(connector.getName()))
                .filter(connector -> tls == (connector.getConnectionFactory("SSL") != null))
                .mapToInt(connector -> ((ServerConnector) connector).getLocalPort())
                .findFirst()
                .orElseThrow();
    }

    private static final class Http1Client implements Client {
        private final Socket socket;
        private String read = "";

        Http1Client(boolean tls, String path, boolean breaks) throws Exception {
            Socket plain = new Socket();
            plain.setReceiveBufferSize(BUFFER);
            plain.setSoTimeout((int) HangGuard.TIME.toMillis());
            plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port(tls)));
            SSLSocketFactory trusting =
                    keys.client("replica", Optional.empty()).sslContext().getSocketFactory();
            socket = tls ? trusting.createSocket(plain, "localhost", port(true), true) : plain;
            String head =
                    "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + (breaks ? BREAKS + ": 1\r\n" : "") + "\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        }

        @Override
        public void awaitBegin(End end) throws IOException {
            int first = socket.getInputStream().read();
            boolean mayHaveEnded = end == End.WRITE_FAILED || end == End.IDLE;
            assertTrue(first == 'H' || (mayHaveEnded && first < 0));
        }

        @Override
        public void end(End how) throws IOException {
            if (how == End.RESET) {
                socket.setSoLinger(true, 0);
                socket.close();
            } else if (how == End.HALF_CLOSED) {
                socket.shutdownOutput();
            } else if (how == End.CUT_OFF || how == End.WRITE_FAILED) {
                read = readAll();
            }
        }

        @Override
        public void awaitCutOff() {
            Matcher length = LENGTH.matcher(read);
            if (length.find()) {
                int body = read.length() - read.indexOf("\r\n\r\n") - 4;
                boolean refused = read.startsWith("TTP/1.1 503 "); // the source failed before this answer began
                assertTrue(refused || body < Integer.parseInt(length.group(1)), "all that the head says has come");
            } else {
                assertFalse(read.endsWith("0\r\n\r\n"), "the last chunk says that this is all");
            }
        }

        private String readAll() throws IOException {
            StringBuilder all = new StringBuilder();
            byte[] some = new byte[65_536];
            try {
                InputStream in = socket.getInputStream();
                for (int read = in.read(some); read >= 0; read = in.read(some)) {
                    all.append(new String(some, 0, read, StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                return all + "(" + e.getMessage() + ")";
            }
            return all.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static final class Http2Client implements Client, org.eclipse.jetty.http2.api.Stream.Listener {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch reset = new CountDownLatch(1);
        private final Session session;
        private final org.eclipse.jetty.http2.api.Stream stream;
        private volatile boolean reads;

        Http2Client(String path, boolean breaks) throws Exception {
            session = http2.connect(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port(false)),
                            new Session.Listener() {})
                    .get(HangGuard.MINUTES, TimeUnit.MINUTES);
            HttpFields.Mutable fields = HttpFields.build();
            if (breaks) {
                fields.put(BREAKS, "1");
            }
            MetaData.Request request = new MetaData.Request(
                    "GET", HttpURI.from("http://localhost:" + port(false) + path), HttpVersion.HTTP_2, fields);
            stream = session.newStream(new HeadersFrame(request, null, true), this)
                    .get(HangGuard.MINUTES, TimeUnit.MINUTES);
        }

        @Override
        public void onHeaders(org.eclipse.jetty.http2.api.Stream asked, HeadersFrame frame) {
            begun.countDown();
            asked.demand();
        }

        @Override
        public void awaitBegin(End end) throws InterruptedException {
            assertTrue(begun.await(HangGuard.MINUTES, TimeUnit.MINUTES));
        }

        @Override
        public void onDataAvailable(org.eclipse.jetty.http2.api.Stream asked) {
            if (!reads) {
                return; // the window stays shut
            }
            org.eclipse.jetty.http2.api.Stream.Data data = asked.readData();
            boolean last = data != null && data.frame().isEndStream();
            if (data != null) {
                data.release();
            }
            if (!last) {
                asked.demand();
            }
        }

        @Override
        public void onReset(org.eclipse.jetty.http2.api.Stream asked, ResetFrame frame, Callback callback) {
            reset.countDown();
            callback.succeeded();
        }

        @Override
        public void end(End how) {
            if (how == End.RESET) {
                stream.reset(new ResetFrame(stream.getId(), ErrorCode.CANCEL_STREAM_ERROR.code), Callback.NOOP);
            } else if (how == End.CUT_OFF || how == End.WRITE_FAILED) {
                reads = true;
                stream.demand();
            }
        }

        @Override
        public void awaitCutOff() throws InterruptedException {
            assertTrue(reset.await(HangGuard.MINUTES, TimeUnit.MINUTES));
            assertFalse(session.isClosed(), "other requests of the connection go on");
        }

        @Override
        public void close() {
            session.close(ErrorCode.NO_ERROR.code, "", Callback.NOOP);
        }
    }

    /**
     * Has the first write of an answer fail in its middle where the client says so; the connection knows nothing of
     * that.
     */
    private static final class BreakingHandler extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            boolean breaks = request.getHeaders().contains(BREAKS);
            return super.handle(request, breaks ? new Breaking(request, response) : response, callback);
        }

        private static final class Breaking extends Response.Wrapper {
            Breaking(Request request, Response response) {
                super(request, response);
            }

            @Override
            public void write(boolean last, @Nullable ByteBuffer content, Callback written) {
                ByteBuffer half = content == null
                        ? BufferUtil.EMPTY_BUFFER
                        : content.slice(content.position(), content.remaining() / 2);
                super.write(
                        false,
                        half,
                        Callback.from(() -> written.failed(new IOException("broken by a test")), written::failed));
            }
        }
    }
}
