package org.idallocator.service.drawing;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.id.Sno;
import org.idallocator.dropwizard.ids.Limit;
import org.idallocator.dropwizard.testing.Gate;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.server.FreePermits;
import org.idallocator.service.testing.Answered;
import org.idallocator.service.testing.Described;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is refused while as much is done as the limits allow, and what is answered all the same. */
class LimitsTest {
    private static final int STREAMS = 2;
    private static final int REQUESTS = 8;

    /** More than there are threads. */
    private static final int BODIES = 72;

    /** So few that those which connectors and health checks need are most of them. */
    private static final int THREADS = 24;

    private static final String NEVER_READ = "/ids/gid?count=100000000";
    private static final String SERVED = "HTTP/1.1 200";
    private static final String SNO = "/ids/sno/9q7qmwq2222dhi22";

    /** Ways to ask for one ID that are answered where all places are taken. */
    private static final String[] PLAIN = """
            GET /ids/sno HTTP/1.1 | GET /ids/gid?form=hex HTTP/1.1\r\nAccept: application/json | \
            GET /ids/sno HTTP/1.1\r\nIf-None-Match: * | \
            GET /ids/sno HTTP/1.1\r\nAccept: application/json, text/plain, */*""".split(" \\| ", -1);

    /** Ways to ask for one ID that need a place. */
    private static final String[] OTHERS = """
            POST /ids/sno HTTP/1.1\r\nContent-Length: 0 | GET /ids/sno HTTP/1.1\r\nOrigin: https://shop.example.com | \
            GET /ids/sno HTTP/1.1\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8 | \
            GET /ids/sno HTTP/1.1\r\nAccept: text/plain\r\nAccept: application/json | GET /ids/sno?metabyte=%37 HTTP/1.1 | \
            GET /ids/gid?type=log HTTP/1.1 | GET /ids/sno HTTP/1.0 | GET /ids/sno?count=2 HTTP/1.1 | GET /ids/sno/ HTTP/1.1 | \
            GET /ids/%73no HTTP/1.1 | GET /ids/sno;x=1 HTTP/1.1 | GET http://localhost/ids/sno/ HTTP/1.1""".split(" \\| ", -1);

    /** What this server has not, and the service has. */
    private static final List<String> OF_CONSOLE =
            List.of("/", "/console", "/console/", "/console/app.js", "/console/state", "/console/read?id=1");

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    private static ObedientApplication application() {
        return service.support().getApplication();
    }

    @BeforeAll
    static void start() {
        service = RunningService.start(
                ObedientApplication.class,
                "limits.streams=" + STREAMS,
                "limits.requests=" + REQUESTS,
                "limits.longestBatch=10s",
                "limits.bodies=" + BODIES,
                "server.maxThreads=" + THREADS);
        described = new Described(service.app().json("/openapi.json"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    private static Socket ask(String path) {
        return service.asking("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /**
     * A client whose large answer has begun. The place of an earlier one is free once the service has noticed that its
     * client left.
     */
    private static Socket begun(String path) {
        return await().until(() -> ifServed(ask(path)), Objects::nonNull);
    }

    private static @Nullable Socket ifServed(Socket client) throws IOException {
        String status = new String(client.getInputStream().readNBytes(SERVED.length()), StandardCharsets.US_ASCII);
        if (status.equals(SERVED)) {
            return client;
        }
        client.close();
        return null;
    }

    /** By clients that ask who holds a slot, which is not known yet. */
    private static void takeTheLastPlaces(List<Socket> slow) {
        await().until(() -> {
            if (service.taken(Limit.REQUESTS) < REQUESTS) {
                slow.add(ask(SNO));
            }
            return service.taken(Limit.REQUESTS) == REQUESTS;
        });
    }

    private static void assertBusy(HttpResponse<String> answer, Limit limit) {
        assertTrue(application().busy().getOrDefault(limit, 0L) > 0, "an operator sees it");
        assertEquals(503, answer.statusCode(), answer.body());
        assertEquals("1", Http.header(answer, "Retry-After"));
        assertEquals("no-store", Http.header(answer, "Cache-Control"));
        assertEquals("urn:id-allocator:busy", Http.json(answer).path("type").asText());
        assertEquals("/problems/busy", Http.json(answer).path("help").asText());
        assertTrue(Http.detail(answer).contains("limits." + limit), answer.body());
    }

    /** The answer to a request for one of the routes that has no place. A single ID would need none. */
    private static void assertBusyAsDescribed(Described.Route route) {
        for (String example : route.examples()) {
            String path = example + (example.matches("/ids/\\w+") ? "?count=2" : "");
            Answered answer = Answered.of(service.app().send(route.method(), path, "application/json"));

            assertEquals(503, answer.status(), path);
            assertEquals(List.of(), described.differences(route, answer), path);
        }
    }

    private static void assertStatus(String status, String[] requests) {
        for (String request : requests) {
            String answer = service.app()
                    .raw(request.replaceFirst("HTTP/1\\.[01]", "$0\r\nHost: localhost\r\nConnection: close")
                            + "\r\n\r\n");
            assertEquals(status, answer.split(" ", 3)[1], request + "\n" + answer);
        }
    }

    private static void awaitServed(String path) {
        await().until(() -> service.app().status(path) == 200);
    }

    @Test
    void shouldSendSoManyLargeAnswersAtATime() throws Exception {
        List<Socket> streams = List.of(begun(NEVER_READ), begun(NEVER_READ));
        try {
            HttpResponse<String> refused = service.app().get("/ids/sno?count=20000", "application/json");
            assertBusy(refused, Limit.STREAMS);
            assertEquals(List.of(), described.differences(described.route("GET", "/ids/sno"), Answered.of(refused)));
            HttpResponse<String> text = service.app().get("/ids/sno?count=20000", "text/plain");
            assertEquals(503, text.statusCode());
            assertEquals(1, text.body().lines().count(), text.body());

            assertEquals(
                    10_000,
                    service.app().get("/ids/sno?count=10000").body().lines().count());
            assertEquals(200, service.app().status("/ids/gid"));
            assertEquals(streams.size(), service.taken(Limit.STREAMS), "they go on");
        } finally {
            closeAll(streams);
        }
        awaitServed("/ids/sno?count=20000");
    }

    /**
     * Clients that do not read, and those who wait for ZooKeeper, take all places; health checks and single IDs need
     * none.
     */
    @Test
    void shouldAnswerSoManyRequestsAtATime() throws Exception {
        Gate gate = new Gate();
        application().source().whenAskedForAHolder(gate);
        List<Socket> slow = new ArrayList<>();
        try {
            slow.addAll(List.of(begun(NEVER_READ), begun(NEVER_READ), ask(SNO)));
            await().until(() -> gate.reached() > 0);
            takeTheLastPlaces(slow);
            assertBusy(service.app().get("/ids", "application/json"), Limit.REQUESTS);
            described.ownRoutes().forEach(LimitsTest::assertBusyAsDescribed);
            assertStatus("503", OTHERS);
            OF_CONSOLE.forEach(path -> assertBusy(service.app().get(path, "application/json"), Limit.REQUESTS));

            long onSelector = application().draws().onSelector();
            assertStatus("200", PLAIN);
            assertEquals(
                    onSelector + PLAIN.length,
                    application().draws().onSelector(),
                    "single IDs wait for nobody who is refused");
            assertEquals(200, service.app().status("/health-check?type=alive"));
        } finally {
            closeAll(slow);
            gate.open();
            application().source().whenAskedForAHolder(() -> {});
        }
        await().until(() -> service.taken(Limit.REQUESTS) == 0);
        awaitServed("/ids");
        awaitServed(SNO);
        assertStatus("200", OTHERS);
        OF_CONSOLE.forEach(path -> assertEquals(404, service.app().status(path), path));
        for (int i = 0; i < 3 * REQUESTS; i++) {
            assertEquals(200, service.app().status("/ids"), "a place is free when its request is over");
        }
    }

    /** Those who wait until the clock has passed an ID take places as others do, and keep no processor from them. */
    @Test
    void shouldAnswerOthersWhileSomeWaitForTheClock() throws Exception {
        ObedientSource source = application().source();
        source.stopTheClock();
        String seen = Sno.last(source.now()).toString();
        List<Socket> waiting = new ArrayList<>();
        try {
            for (int i = 1; i <= REQUESTS; i++) {
                assertEquals(200, service.app().status("/ids"), "there are places left, and nobody is held up");
                waiting.add(ask("/ids/sno?after=" + seen));
                int taken = i;
                await().until(() ->
                        service.taken(Limit.REQUESTS) == taken && FreePermits.of(service) == RunningService.PERMITS);
            }

            assertBusy(service.app().get("/ids/sno?after=" + seen, "application/json"), Limit.REQUESTS);
            assertStatus("200", PLAIN);
            source.serve();
            for (Socket each : waiting) {
                String answer = Http.answer(each.getInputStream());
                assertTrue(answer.startsWith(SERVED), answer);
                assertTrue(answer.split("\r\n\r\n", 2)[1].compareTo(seen) > 0, answer);
            }
        } finally {
            source.serve();
            closeAll(waiting);
        }
    }

    private static void closeAll(List<Socket> clients) throws IOException {
        for (Socket each : clients) {
            each.close();
        }
    }

    /** It is read before its request is let in, and no thread waits for it. */
    @Test
    void shouldKeepNoPlaceForABodyThatDoesNotCome() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < BODIES; i++) {
                slow.add(sendABegunBody("POST", "x"));
            }
            assertEquals(200, service.app().status("/ids"));
            await().until(() -> service.taken(Limit.REQUESTS) == 0);
        } finally {
            closeAll(slow);
        }
    }

    /** Each is in memory until it is whole. The rest of a refused one may be on its way: no request can follow. */
    @Test
    void shouldReadSoManyBodiesAtATime() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < BODIES; i++) {
                slow.add(sendABegunBody("POST", "x"));
            }
            await().until(() -> service.taken(Limit.BODIES) == BODIES);
            String refused = service.app().raw(begunBody("POST", "x"));

            assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
            assertTrue(refused.contains("\r\nRetry-After: 1\r\n"), refused);
            assertTrue(refused.contains("\r\nConnection: close\r\n"), refused);
            assertTrue(
                    refused.contains("this replica serves no more bodies at a time (limits.bodies); ask again"),
                    refused);
            assertTrue(application().busy().getOrDefault(Limit.BODIES, 0L) > 0, "an operator sees it");
            assertEquals(200, service.app().status("/ids"));
            String whole = begunBody("POST", "a=1").replace("Host: localhost", "Host: localhost\r\nConnection: close");
            assertTrue(
                    service.app().raw(whole).startsWith("HTTP/1.1 "), "a body that comes with its head needs no place");
            assertFalse(service.app().raw(whole).contains("limits.bodies"));
        } finally {
            closeAll(slow);
        }
        await().until(() -> service.app().send("POST", "/ids/sno", "*/*").statusCode() == 200);
    }

    /** Nobody reads it; Jersey would, for the parameters of a form. */
    @Test
    void shouldAnswerAGetWhoseBodyDoesNotCome() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (Socket slow = sendABegunBody("GET", "")) {
                assertNotNull(ifServed(slow));
            }
        }
        await().until(() -> FreePermits.of(service) == RunningService.PERMITS);
    }

    private static Socket sendABegunBody(String method, String body) {
        return service.asking(begunBody(method, body));
    }

    private static String begunBody(String method, String body) {
        return method + " /ids/sno HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body;
    }
}
