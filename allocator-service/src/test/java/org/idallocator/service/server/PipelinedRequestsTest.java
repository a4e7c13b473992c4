package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of a client that has sent many requests at once and has gone, the first is answered, and no other is taken. */
class PipelinedRequestsTest {
    private static final int REQUESTS = 10;

    private static final HoldingHandler FRONT = new HoldingHandler();

    /** The connections whose end the service has seen. */
    private static final AtomicInteger ENDED = new AtomicInteger();

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.startObedient(server -> {
            server.insertHandler(FRONT);
            Stream.of(server.getConnectors()).forEach(PipelinedRequestsTest::count);
        });
    }

    private static void count(Connector connector) {
        ((AbstractConnector) connector).addBean(new Connection.Listener() {
            @Override
            public void onClosed(Connection connection) {
                ENDED.incrementAndGet();
            }
        });
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource({
        "app, /ids/gid?count=100",
        "app, /ids/uid60?count=100",
        "app, /ids",
        "app, /openapi.json",
        "app, /nope",
        "app, /health-check",
        "admin, /ping",
        "admin, /threads",
        "admin, /metrics",
        "admin, /nope"
    })
    void shouldTakeNoFurtherRequestOfAClientThatHasGone(String port, String path) throws Exception {
        FRONT.hold();
        int endedBefore = ENDED.get();
        int number = port.equals("app") ? service.app().port() : service.admin().port();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), number)) {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            client.getOutputStream().write(request.repeat(REQUESTS).getBytes(StandardCharsets.US_ASCII));
            await().until(() -> FRONT.came.get() == 1);
            client.setSoLinger(true, 0);
        }
        FRONT.letOn();
        await("the connection has ended").until(() -> ENDED.get() > endedBefore);

        assertEquals(1, FRONT.came.get());
    }

    /** Holds up the first request that comes after {@link #hold}, until {@link #letOn}; no thread waits. */
    private static final class HoldingHandler extends Handler.Wrapper {
        private final AtomicInteger came = new AtomicInteger();
        private volatile CompletableFuture<Void> open = CompletableFuture.completedFuture(null);

        void hold() {
            came.set(0);
            open = new CompletableFuture<>();
        }

        void letOn() {
            open.complete(null);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            came.incrementAndGet();
            var unused = open.thenRunAsync(() -> ConnectorPool.handle(getHandler(), request, response, callback));
            return true;
        }
    }
}
