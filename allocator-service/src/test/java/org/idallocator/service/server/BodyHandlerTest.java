package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.setup.Environment;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.ids.IdListener;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a client is told whose body comes too slowly, and where the program fails behind a body that was read. */
class BodyHandlerTest {
    private static final String HEAD = "POST /fails HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n";

    private static final IdListener NOBODY = new IdListener() {
        @Override
        public void issued(long ids) {}

        @Override
        public void failed(RuntimeException why) {}
    };

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @BeforeAll
    static void start() {
        service = RunningService.startObedient(server ->
                Objects.requireNonNull(server.getDescendant(BodyHandler.class)).insertHandler(new FailingHandler()));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static final class FailingHandler extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            throw new IllegalStateException("broken by a test");
        }
    }

    private static void assertFailed(Socket client) throws IOException {
        String answer = Http.answer(client.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
    }

    @Test
    void shouldAnswerWhenWhatIsBehindFails() throws IOException {
        try (Socket client = service.asking(HEAD + "ab")) {
            assertFailed(client);
        }
    }

    /** Nobody else would see it then. */
    @Test
    void shouldAnswerWhenWhatIsBehindFailsAfterALateBody() throws IOException {
        try (Socket client = service.asking(HEAD + "a")) {
            await().until(() -> service.taken(Limit.BODIES) == 1);
            client.getOutputStream().write('b');
            assertFailed(client);
        }
        assertEquals(0, service.taken(Limit.BODIES));
    }

    /** As {@code limits.bodies} in docs/operations.md says. */
    @Test
    void shouldWaitForABodyForTenSeconds() {
        assertEquals(Duration.ofSeconds(10), BodyHandler.MAX_DURATION);
    }

    /** Each byte ends a silence; the whole body takes too long. */
    @Test
    void shouldNotWaitForABodyThatDripsIn() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        server.addConnector(connector);
        IdService ids =
                new IdService(new ObedientSource(), scheme -> NOBODY, Limits.usual(Long.MAX_VALUE, 1_024), limit -> {});
        Executor pool = server.getThreadPool();
        Refusals refusals = new Refusals(ids, BasePath.of(new Environment("test")), pool);
        server.setHandler(new BodyHandler(ids, path -> false, refusals, pool, Duration.ofSeconds(1)));
        server.start();
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), connector.getLocalPort())) {
            client.setSoTimeout((int) HangGuard.TIME.toMillis());
            OutputStream out = client.getOutputStream();
            out.write(HEAD.replace("Length: 2", "Length: 8000").getBytes(StandardCharsets.US_ASCII));
            await().pollInterval(Duration.ofMillis(50)).until(() -> {
                out.write(' ');
                return client.getInputStream().available() > 0;
            });

            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
            assertTrue(answer.contains("the body came too slowly: it has to come within 1 s"), answer);
            assertEquals(0, ids.places(Limit.BODIES).taken());
        } finally {
            server.stop();
        }
    }
}
