package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.server.BoundedHttpFactory.BoundedConnection;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.Test;

/** For how long a connection has been without a request, and when it makes way for others. */
class BoundedConnectionTest {
    private static final String WHO_HOLDS = "GET /ids/sno/9q7qmwq2222dhi22 HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String ONE = "GET /ids/sno HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final int TURN = 256;
    private static final Duration A_WHILE = Duration.ofMillis(50);

    /** From its beginning, the connection of a long request would be the first that is closed for a new one. */
    @Test
    void shouldCountFromTheEndOfTheLastRequest() throws IOException {
        Gate gate = new Gate();
        try (RunningService service = RunningService.start(ObedientApplication.class)) {
            ((ObedientApplication) service.support().getApplication()).source().whenAskedForAHolder(gate);
            assertCountedFromTheEnd(service, gate);
        } finally {
            gate.open();
        }
    }

    private static void assertCountedFromTheEnd(RunningService service, Gate gate) throws IOException {
        try (Socket asks = service.asking(WHO_HOLDS)) {
            await().until(() -> gate.reached() > 0);
            BoundedConnection connection = connectionOf(asks, service);
            assertEquals(OptionalLong.empty(), connection.millisWithoutRequest());
            long reachedNanos = System.nanoTime();
            await().until(() -> System.nanoTime() - reachedNanos > A_WHILE.toNanos());

            long openedNanos = System.nanoTime();
            gate.open();
            String answer = Http.answer(asks.getInputStream());
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
            await().until(() -> connection.millisWithoutRequest().isPresent());
            long millis = connection.millisWithoutRequest().orElseThrow();
            assertTrue(Duration.ofMillis(millis).toNanos() <= System.nanoTime() - openedNanos, () -> millis + " ms");
        }
    }

    /** So that others come in at once; the client may come back when others have had their turns. */
    @Test
    void shouldMakeWayAfterARefusalWhereAllAsk() throws IOException {
        Gate gate = new Gate();
        try (RunningService service =
                RunningService.start(ObedientApplication.class, "limits.connections=2", "limits.requests=1")) {
            ((ObedientApplication) service.support().getApplication()).source().whenAskedForAHolder(gate);
            try (Socket asks = service.asking(WHO_HOLDS)) {
                await().until(() -> gate.reached() > 0);
                try (Socket refused = service.asking(WHO_HOLDS)) {
                    assertRefusedForGood(refused);
                }
                try (Socket served = service.asking(ONE)) {
                    String answer = Http.answer(served.getInputStream());
                    assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
                    assertFalse(answer.contains("Connection: close"), answer);
                }
                gate.open();
                assertTrue(Http.answer(asks.getInputStream()).startsWith("HTTP/1.1 200 "));
            }
        } finally {
            gate.open();
        }
    }

    @Test
    void shouldMakeWayAfterItsTurnWhereAllAsk() throws IOException {
        try (RunningService service = RunningService.start(ObedientApplication.class, "limits.connections=1");
                Socket asks = service.asking(ONE.repeat(TURN))) {
            for (int i = 1; i < TURN; i++) {
                String answer = Http.answer(asks.getInputStream());
                assertFalse(answer.contains("Connection: close"), answer);
            }
            String last = Http.answer(asks.getInputStream());
            assertTrue(last.startsWith("HTTP/1.1 200 "), last);
            assertTrue(last.contains("Connection: close"), last);
        }
    }

    private static void assertRefusedForGood(Socket client) throws IOException {
        String answer = Http.answer(client.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("Connection: close"), answer);
        assertEquals(-1, client.getInputStream().read());
    }

    private static BoundedConnection connectionOf(Socket client, RunningService service) {
        return Stream.of(service.server().getConnectors())
                .flatMap(connector -> connector.getConnectedEndPoints().stream())
                .filter(each -> client.getLocalSocketAddress().equals(each.getRemoteSocketAddress()))
                .map(each -> (BoundedConnection) each.getConnection())
                .findFirst()
                .orElseThrow();
    }
}
