package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a service answers that stops, while it finishes what has begun. */
class GracePeriodTest {
    private static final String CLOSING = "Connection: close\r\n";

    /** One ID, several, and none: these are answered in different ways. */
    private static final List<String> PATHS = List.of("/ids/sno", "/ids/sno?count=2", "/leases");

    private final RunningService service =
            RunningService.start(ObedientApplication.class, "server.shutdownGracePeriod=" + HangGuard.MINUTES + "m");
    private final Server server =
            service.support().getEnvironment().getApplicationContext().getServer();
    private final Gate gate = new Gate();
    private final List<Socket> clients = new ArrayList<>();

    /**
     * As it is shipped, the server cuts off a connection on which nothing moves for a second: here a busy machine may
     * take longer.
     */
    @BeforeEach
    void bePatient() {
        for (Connector connector : server.getConnectors()) {
            ((AbstractConnector) connector).setShutdownIdleTimeout(HangGuard.TIME.toMillis());
        }
    }

    @AfterEach
    void stop() throws IOException {
        gate.open();
        for (Socket client : clients) {
            client.close();
        }
        service.close();
    }

    /** No client library is between, which would ask again on a connection of its own. */
    private Socket connected() throws IOException {
        Socket client =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port());
        client.setSoTimeout((int) HangGuard.TIME.toMillis());
        clients.add(client);
        return client;
    }

    private static void ask(Socket client, String path, String more) throws IOException {
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
    }

    /** A client that was answered, and whose connection is still open. */
    private Socket served(String path) throws IOException {
        Socket client = connected();
        ask(client, path, "");
        assertStatus(200, Http.answer(client.getInputStream()));
        return client;
    }

    private boolean isStopping() {
        GracefulHandler graceful = server.getDescendant(GracefulHandler.class);
        assertNotNull(graceful);
        return graceful.isShutdown();
    }

    private static void assertStatus(int status, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
    }

    @Test
    void shouldAnswer503OnOpenConnectionsWhileItFinishesWhatHasBegun() throws Exception {
        List<Socket> open = new ArrayList<>();
        for (String path : PATHS) {
            open.add(served(path));
        }
        Socket begun = connected();
        ((ObedientApplication) service.support().getApplication()).source().whenAskedForAHolder(gate);
        ask(begun, "/ids/sno/9q7qmwq2222dhi22", CLOSING);
        await().until(() -> gate.reached() == 1);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::close);
        await().until(this::isStopping);

        for (int i = 0; i < PATHS.size(); i++) {
            ask(open.get(i), PATHS.get(i), CLOSING);
            assertStatus(503, Http.answer(open.get(i).getInputStream()));
            assertEquals(-1, open.get(i).getInputStream().read(), "it ends in order");
            open.get(i).close();
        }
        assertFalse(stopped.isDone(), "it waits for what has begun");
        gate.open();
        assertStatus(200, Http.answer(begun.getInputStream()));
        begun.close();
        stopped.get(HangGuard.MINUTES, TimeUnit.MINUTES);
    }
}
