package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.LocalConnector.LocalEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.testing.HangGuard;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is seen of a client while its request for {@code /first} is handled. The client does what it does in that very time. */
class ClientConnectionTest {
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final List<Boolean> seen = new ArrayList<>();
    private final CountDownLatch handled = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init")
    private LocalEndPoint client;

    private Consumer<ClientConnection> meanwhile = caller -> {};

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                String path = Request.getPathInContext(request);
                if (path.equals("/first")) {
                    meanwhile.accept(new ClientConnection(request));
                    handled.countDown();
                }
                Content.Sink.write(response, true, "answer to " + path, callback);
                return true;
            }
        });
        server.start();
        client = connector.connect();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private static String get(String path, String... headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n" + String.join("", headers) + "\r\n";
    }

    /** The next answer; null when none comes, because the client has closed its connection. */
    private @Nullable String answer() throws Exception {
        String response = client.getResponse(false, HangGuard.MINUTES, TimeUnit.MINUTES);
        return response == null ? null : response.substring(response.indexOf("\r\n\r\n") + 4);
    }

    /** What was seen while the first request was handled. */
    private List<Boolean> seen() throws InterruptedException {
        assertTrue(handled.await(HangGuard.MINUTES, TimeUnit.MINUTES));
        return seen;
    }

    private void look(ClientConnection client) {
        seen.add(client.isPresent());
    }

    @Test
    void shouldSeeThatTheClientWaits() throws Exception {
        meanwhile = caller -> {
            look(caller);
            look(caller);
        };
        client.addInputAndExecute(get("/first"));

        assertEquals("answer to /first", answer());
        assertEquals(List.of(true, true), seen());
    }

    @Test
    void shouldSeeThatTheClientIsGone() throws Exception {
        meanwhile = caller -> {
            look(caller);
            client.addInputEOF();
            look(caller);
            look(caller);
        };
        client.addInputAndExecute(get("/first"));

        assertEquals(List.of(true, false, false), seen());
    }

    @Test
    void shouldKeepWhatComesByteByByteForTheNextRequest() throws Exception {
        meanwhile = caller -> get("/second").chars().forEach(each -> {
            client.addInput(Character.toString(each));
            look(caller);
        });
        client.addInputAndExecute(get("/first"));

        assertEquals("answer to /first", answer());
        assertEquals("answer to /second", answer());
        assertEquals(List.of(true), seen().stream().distinct().toList());
    }

    /** What was sent ahead is left where it is, and whoever has sent ahead counts as present. */
    @Test
    void shouldLoseNothingOfMoreThanThereIsRoomFor() throws Exception {
        String header = "X-Long: " + "x".repeat(1_000) + "\r\n";
        meanwhile = caller -> {
            for (int i = 0; i < 20; i++) {
                client.addInput(get("/next" + i, header));
            }
            for (int i = 0; i < 200; i++) {
                look(caller);
            }
        };
        client.addInputAndExecute(get("/first"));

        assertEquals("answer to /first", answer());
        for (int i = 0; i < 20; i++) {
            assertEquals("answer to /next" + i, answer());
        }
        assertEquals(List.of(true), seen().stream().distinct().toList());
    }
}
