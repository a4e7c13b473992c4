package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who has a permit to be worked on, and for how long. */
class PermitHandlerTest {
    private static final int CHECKS_AT_A_TIME = 2;
    private static final int MANY = 6;
    private static final String CHECK = "/health-check";

    /** Dropwizard's servlet answers for several checks. */
    private static final String SEVERAL = CHECK + "?name=all&type=ready";

    private static final String LATER = "/later";

    private final Gate gate = new Gate();
    private final CompletableFuture<Callback> returned = new CompletableFuture<>();
    private final List<Socket> clients = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private RunningService service;

    @BeforeEach
    void start() {
        service = RunningService.startObedient(this::addBehindThePermits);
    }

    /** The admin port has permits of its own, but reads no bodies. */
    private void addBehindThePermits(Server server) {
        BodyHandler ofTheApplication = Objects.requireNonNull(server.getDescendant(BodyHandler.class));
        Objects.requireNonNull(ofTheApplication.getDescendant(PermitHandler.class))
                .insertHandler(new Working());
    }

    @AfterEach
    void stop() throws IOException {
        gate.open();
        for (Socket each : clients) {
            each.close();
        }
        service.close();
    }

    /** Holds up health checks at the gate, and returns from a request for {@link #LATER} before that is answered. */
    private final class Working extends Handler.Wrapper {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String path = Request.getPathInContext(request);
            if (path.equals(LATER)) {
                returned.complete(callback);
                return true;
            } else if (path.equals(CHECK)) {
                gate.run();
            }
            return super.handle(request, response, callback);
        }
    }

    private Socket ask(String path) {
        Socket client = service.asking("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        clients.add(client);
        return client;
    }

    private static void assertServed(Socket client) throws IOException {
        String answer = Http.answer(client.getInputStream());
        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }

    /** As of an asynchronous servlet: what it waits for is no work. */
    @Test
    void shouldTakeThePermitBackWhenTheServletsReturnBeforeTheAnswer() throws Exception {
        Socket client = ask(LATER);
        await("the servlets have returned").until(returned::isDone);
        Callback callback = returned.join();

        await("every permit is free").until(() -> FreePermits.of(service) == RunningService.PERMITS);
        assertEquals(1, service.taken(Limit.REQUESTS), "its place it keeps");
        callback.succeeded();
        assertServed(client);
        await("every place is free").until(() -> service.taken(Limit.REQUESTS) == 0);
    }

    /** So that leases are renewed whatever strangers ask; and neither callers nor load balancers wait for these. */
    @Test
    void shouldWorkOnFewHealthChecksAtATime() throws IOException {
        await("every check has run").until(() -> service.app().status(CHECK) == 200);
        for (int i = 0; i < MANY; i++) {
            ask(SEVERAL);
        }
        await().until(() -> gate.reached() == CHECKS_AT_A_TIME);
        assertServed(ask("/ids"));
        assertServed(ask(CHECK));
        assertServed(ask(CHECK + "?name=all"));
        assertEquals(CHECKS_AT_A_TIME, gate.reached());

        gate.open();
        await("every check is made").until(() -> gate.reached() == MANY);
    }
}
