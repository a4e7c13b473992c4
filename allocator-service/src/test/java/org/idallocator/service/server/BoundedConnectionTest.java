package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.idallocator.core.testing.ProofOnly;
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
    private static final String CLOSE = "Connection: close\r\n";
    private static final int TURN = 256;
    private static final Duration TURN_TIME = Duration.ofSeconds(5);
    private static final String STREAM =
            "GET /ids/eightbyte?count=20000&form=decimal HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String LAST_CHUNK = "\r\n0\r\n\r\n";
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
            String answer = answer(asks);
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
                    for (String answer = answer(refused); !answer.contains(CLOSE); answer = answer(refused)) {
                        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
                        refused.getOutputStream().write(WHO_HOLDS.getBytes(StandardCharsets.US_ASCII));
                    }
                    assertEquals(-1, refused.getInputStream().read());
                }
                gate.open();
                assertTrue(answer(asks).startsWith("HTTP/1.1 200 "));
            }
        } finally {
            gate.open();
        }
    }

    @Test
    void shouldMakeWayAfterItsTurnWhereAllAsk() throws IOException {
        try (RunningService service = RunningService.start(ObedientApplication.class, "limits.connections=1");
                Socket asks = service.asking(ONE)) {
            int answers = 1;
            for (String answer = answer(asks); !answer.contains(CLOSE); answer = answer(asks)) {
                assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
                answers++;
                asks.getOutputStream().write(ONE.getBytes(StandardCharsets.US_ASCII));
            }
            assertTrue(answers >= TURN, () -> "it goes on asking");
            assertEquals(-1, asks.getInputStream().read());
        }
    }

    @Test
    void shouldStayWhereThereIsRoomForOthers() throws IOException {
        try (RunningService service = RunningService.start(ObedientApplication.class);
                Socket asks = service.asking(ONE.repeat(2 * TURN))) {
            for (int i = 0; i < 2 * TURN; i++) {
                String answer = answer(asks);
                assertFalse(answer.contains(CLOSE), answer);
            }
        }
    }

    /** In chunks, so that the client knows that it has all. */
    @Test
    @ProofOnly("waits for the time of a turn")
    void shouldMakeWayAfterTheTimeOfItsTurnAlsoWithAnAnswerInChunks() throws IOException {
        try (RunningService service = RunningService.start(ObedientApplication.class, "limits.connections=1");
                Socket asks = service.asking(STREAM)) {
            long begunNanos = System.nanoTime();
            while (!readInChunks(asks).contains(CLOSE)) {
                asks.getOutputStream().write(STREAM.getBytes(StandardCharsets.US_ASCII));
            }
            assertTrue(System.nanoTime() - begunNanos >= TURN_TIME.toNanos());
            assertEquals(-1, asks.getInputStream().read());
        }
    }

    /** Reads an answer in chunks to its end, and returns what came. */
    private static String readInChunks(Socket client) throws IOException {
        StringBuilder all = new StringBuilder();
        byte[] buffer = new byte[1 << 16];
        while (all.indexOf(LAST_CHUNK, Math.max(0, all.length() - LAST_CHUNK.length())) < 0) {
            int read = client.getInputStream().read(buffer);
            assertTrue(read > 0, "it was cut off");
            all.append(new String(buffer, 0, read, StandardCharsets.US_ASCII));
        }
        return all.toString();
    }

    private static String answer(Socket client) throws IOException {
        return Http.answer(client.getInputStream());
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
