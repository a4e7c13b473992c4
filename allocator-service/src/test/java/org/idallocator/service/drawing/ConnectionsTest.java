package org.idallocator.service.drawing;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What connections may take of the memory: so many of them, and so many fields of a request. */
class ConnectionsTest {
    private static final int MOST = 8;
    private static final int FIELDS = 20;
    private static final int DRIP_MILLIS = 20;

    /** So long a new connection has at least. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private static final String HALF_A_HEAD = "GET /ids HTTP/1.1\r\nHost: loc";
    private static final String WHOLE = "GET /ids HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String WHO_HOLDS = "GET /ids/sno/9q7qmwq2222dhi22 HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    private final List<Socket> clients = new ArrayList<>();

    @BeforeAll
    static void start() {
        service = RunningService.start(
                ObedientApplication.class, "limits.connections=" + MOST, "limits.fields=" + FIELDS);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @AfterEach
    void closeAll() throws IOException {
        for (Socket each : clients) {
            each.close();
        }
    }

    private static ObedientApplication application() {
        return service.support().getApplication();
    }

    private Socket client(String bytes) {
        Socket client = service.asking(bytes);
        clients.add(client);
        return client;
    }

    private static String answer(Socket client) throws IOException {
        return Http.answer(client.getInputStream());
    }

    private static boolean isClosed(Socket client) {
        try {
            return client.getInputStream().read() < 0;
        } catch (SocketException e) {
            return true; // reset, because what it had sent was not read
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String head(int fields) {
        return "GET /ids HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + "a:b\r\n".repeat(fields - 2);
    }

    /**
     * Each takes much more memory than its bytes: 400 halves of heads with 1,600 of five bytes ended a replica of 72
     * MB.
     */
    @Test
    void shouldRefuseAHeadOfTooManyFieldsBeforeItsEnd() {
        assertTrue(service.app().raw(head(FIELDS) + "\r\n").startsWith("HTTP/1.1 200 "));
        assertRefused(service.app().raw(head(FIELDS + 1) + "c")); // Jetty takes a field when the next line begins
        assertRefused(service.admin().raw(head(FIELDS + 1) + "c"));
    }

    private static void assertRefused(String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 431 "), answer);
        assertTrue(answer.contains("a request must have 20 header fields at most (limits.fields)"), answer);
        assertTrue(answer.contains("Connection: close"), answer);
    }

    @Test
    void shouldCountTheFieldsBehindABody() {
        String body =
                "POST /ids/sno HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";

        assertTrue(
                service.app().raw(body + "a:b\r\n".repeat(FIELDS - 3) + "\r\n").startsWith("HTTP/1.1 200 "));
        assertTrue(service.app().raw(body + "a:b\r\n".repeat(FIELDS - 2) + "c").startsWith("HTTP/1.1 400 "));
    }

    /** Two requests on a connection count anew. */
    @Test
    void shouldCountTheFieldsOfEachRequest() throws IOException {
        Socket client = client(WHOLE.repeat(FIELDS + 1));
        for (int i = 0; i <= FIELDS; i++) {
            assertTrue(answer(client).startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void shouldLetNobodyBeKeptOutByThoseWhoSayNothing() throws IOException {
        long before = application().busy().getOrDefault(Limit.CONNECTIONS, 0L);
        for (int i = 0; i < 3 * MOST; i++) {
            client(HALF_A_HEAD);
        }
        for (int i = 0; i < MOST; i++) {
            assertTrue(answer(client(WHOLE)).startsWith("HTTP/1.1 200 "));
        }
        assertTrue(isClosed(clients.get(0)), "who was silent for longest goes first");
        assertTrue(
                application().busy().getOrDefault(Limit.CONNECTIONS, 0L) >= before + 3 * MOST, "an operator sees it");
    }

    /** A byte of a head now and then is no request. */
    @Test
    void shouldLetNobodyBeKeptOutByThoseWhoDrip() throws Exception {
        ScheduledExecutorService dripping = Executors.newSingleThreadScheduledExecutor();
        try {
            for (int i = 0; i < MOST; i++) {
                OutputStream out = client(HALF_A_HEAD).getOutputStream();
                var unused = dripping.scheduleAtFixedRate(() -> drip(out), 0, DRIP_MILLIS, TimeUnit.MILLISECONDS);
            }
            for (int i = 0; i < MOST; i++) {
                assertTrue(answer(client(WHOLE)).startsWith("HTTP/1.1 200 "));
            }
        } finally {
            dripping.shutdownNow();
        }
    }

    private static void drip(OutputStream out) {
        try {
            out.write('x');
        } catch (IOException e) {
            throw new UncheckedIOException(e); // its connection was closed: no further byte
        }
    }

    @Test
    void shouldKeepTheConnectionOfARequestThatIsWorkedOn() throws IOException {
        Gate gate = new Gate();
        application().source().whenAskedForAHolder(gate);
        try {
            Socket asks = client(WHO_HOLDS);
            await().until(() -> gate.reached() > 0);
            for (int i = 0; i < 3 * MOST; i++) {
                assertTrue(answer(client(WHOLE)).startsWith("HTTP/1.1 200 "));
            }
            gate.open();
            assertTrue(answer(asks).startsWith("HTTP/1.1 200 "));
        } finally {
            gate.open();
            application().source().whenAskedForAHolder(() -> {});
        }
    }

    /** They wait in the operating system while every connection has a request that is worked on. */
    @Test
    void shouldLetOthersInWhenAllHaveBeenWorkedOn() throws IOException {
        Gate gate = new Gate();
        application().source().whenAskedForAHolder(gate);
        try {
            for (int i = 0; i < 2 * MOST; i++) {
                client(WHO_HOLDS);
            }
            await().until(() -> service.taken(Limit.REQUESTS) >= MOST - 1);
            Socket last = client(WHOLE);
            gate.open();
            assertTrue(answer(last).startsWith("HTTP/1.1 200 "));
        } finally {
            gate.open();
            application().source().whenAskedForAHolder(() -> {});
        }
    }

    /** Beside others that are worked on, the newest one is the only one that can go. */
    @Test
    void shouldLeaveANewConnectionTimeToSendItsRequest() throws IOException {
        Gate gate = new Gate();
        application().source().whenAskedForAHolder(gate);
        try {
            for (int i = 1; i < MOST; i++) {
                client(WHO_HOLDS);
            }
            await().until(() -> service.taken(Limit.REQUESTS) == MOST - 1);
            long before = System.nanoTime();
            Socket silent = client("");

            assertTrue(isClosed(silent), "others may want its place");
            Duration had = Duration.ofNanos(System.nanoTime() - before);
            assertTrue(had.compareTo(PATIENCE) >= 0, () -> "it had " + had);
        } finally {
            gate.open();
            application().source().whenAskedForAHolder(() -> {});
        }
    }

    /** Jetty's place for them takes 50 KB from the second request on. */
    @Test
    void shouldKeepNoFieldsOfARequestForTheNext() throws IOException {
        Socket client = client("");
        for (int i = 0; i < 3; i++) {
            client.getOutputStream()
                    .write(WHOLE.replace("Host", "User-Agent: me\r\nHost").getBytes(StandardCharsets.US_ASCII));
            assertTrue(answer(client).startsWith("HTTP/1.1 200 "));
        }
        List<HttpConnection> connections = Stream.of(service.server().getConnectors())
                .flatMap(connector -> connector.getConnectedEndPoints().stream())
                .map(EndPoint::getConnection)
                .filter(HttpConnection.class::isInstance)
                .map(HttpConnection.class::cast)
                .toList();

        assertFalse(connections.isEmpty());
        for (HttpConnection each : connections) {
            assertEquals(0, each.getParser().getFieldCache().size());
        }
    }

    /** As Dropwizard does: the metrics of a program are a door of its own. */
    @Test
    void shouldCountConnectionsInDropwizardsMetric() throws IOException {
        client(HALF_A_HEAD).close();

        var timers =
                service.support().getEnvironment().metrics().getTimers((name, timer) -> name.endsWith(".connections"));
        assertEquals(1, timers.size(), "both ports are 0 here: " + timers.keySet());
        await().until(() -> timers.values().stream().anyMatch(timer -> timer.getCount() > 0));
    }
}
