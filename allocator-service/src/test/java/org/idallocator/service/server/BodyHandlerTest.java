package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.Objects;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a client is told where the program fails behind a body that was read. */
class BodyHandlerTest {
    private static final String HEAD = "POST /fails HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n";

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
            await().until(() -> service.bodies().reading() == 1);
            client.getOutputStream().write('b');
            assertFailed(client);
        }
        assertEquals(0, service.bodies().reading());
    }
}
