package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.ids.Limit;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is refused while as much is done as the limits allow, and what is answered all the same. */
class LimitsTest {
    private static final int STREAMS = 2;
    private static final int REQUESTS = 8;

    /** So few that those which connectors and health checks need are most of them. */
    private static final int THREADS = 24;

    private static final String NEVER_READ = "/ids/gid?count=100000000";
    private static final String SERVED = "HTTP/1.1 200";
    private static final String SNO = "/ids/sno/9q7qmwq2222dhi22";

    /** Ways to ask for one ID that are answered where all places are taken. */
    private static final List<String> PLAIN = List.of(
            "GET /ids/sno HTTP/1.1",
            "GET /ids/gid?form=hex HTTP/1.1\r\nAccept: application/json",
            "GET /ids/sno HTTP/1.1\r\nIf-None-Match: *",
            "GET /ids/sno HTTP/1.1\r\nAccept: application/json, text/plain, */*");

    /** Ways to ask for one ID that need a place. */
    private static final List<String> OTHERS = List.of(
            "POST /ids/sno HTTP/1.1\r\nContent-Length: 0",
            "GET /ids/sno HTTP/1.1\r\nOrigin: https://shop.example.com",
            "GET /ids/sno HTTP/1.1\r\nAccept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "GET /ids/sno HTTP/1.1\r\nAccept: text/plain\r\nAccept: application/json",
            "GET /ids/sno?metabyte=%37 HTTP/1.1",
            "GET /ids/gid?type=log HTTP/1.1",
            "GET /ids/sno HTTP/1.0",
            "GET /ids/sno?count=2 HTTP/1.1",
            "GET /ids/sno/ HTTP/1.1",
            "GET /ids/%73no HTTP/1.1",
            "GET /ids/sno;x=1 HTTP/1.1",
            "GET http://localhost/ids/sno/ HTTP/1.1");

    /** What this server has not, and the service has. */
    private static final List<String> OF_CONSOLE =
            List.of("/", "/console", "/console/", "/console/app.js", "/console/state", "/console/read?id=1");

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    private final ObedientSource source =
            ((ObedientApplication) service.support().getApplication()).source();

    @BeforeAll
    static void start() {
        service = RunningService.start(
                ObedientApplication.class,
                "limits.streams=" + STREAMS,
                "limits.requests=" + REQUESTS,
                "limits.longestBatch=10s",
                "server.maxThreads=" + THREADS);
        described = new Described(service.app().json("/openapi.json"));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    /** A client that has sent so much, and reads nothing. */
    private static Socket send(String request) {
        try {
            Socket client = new Socket(
                    InetAddress.getLoopbackAddress(), service.support().getLocalPort());
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return client;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Socket ask(String path) {
        return send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** A client whose large answer has begun. The place of an earlier one is free once the service has noticed that its client left. */
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
            if (service.admission().inFlight() < REQUESTS) {
                slow.add(ask(SNO));
            }
            return service.admission().inFlight() == REQUESTS;
        });
    }

    private static void assertBusy(HttpResponse<String> answer, Limit limit) {
        assertTrue(busy().getOrDefault(limit, 0L) > 0, "an operator sees " + busy());
        assertEquals(503, answer.statusCode(), answer.body());
        assertEquals("1", Http.header(answer, "Retry-After"));
        assertEquals("no-store", Http.header(answer, "Cache-Control"));
        assertEquals("urn:id-allocator:busy", Http.json(answer).path("type").asText());
        assertEquals("/problems/busy", Http.json(answer).path("help").asText());
        assertTrue(Http.detail(answer).contains("limits." + limit), answer.body());
    }

    private static Map<Limit, Long> busy() {
        return ((ObedientApplication) service.support().getApplication()).busy();
    }

    /** The answer to a request for one of the routes that has no place. A single ID would need none. */
    private static void assertBusyAsDescribed(Described.Route route) {
        for (String example : route.examples()) {
            String path = example + (route.draws() ? "?count=2" : "");
            Answered answer = Answered.of(service.app().send(route.method(), path, "application/json"));

            assertEquals(503, answer.status(), path);
            assertEquals(List.of(), described.differences(route, answer), path);
        }
    }

    private static void assertStatus(String status, String request) {
        String[] lines = request.split("\r\n", 2);
        String others = lines.length == 1 ? "" : lines[1] + "\r\n";
        String answer = service.app().raw(lines[0] + "\r\nHost: localhost\r\nConnection: close\r\n" + others + "\r\n");

        assertEquals(status, answer.split(" ", 3)[1], request + "\n" + answer);
    }

    private static void awaitServed(String path) {
        await().until(() -> service.app().status(path) == 200);
    }

    @Test
    void shouldSendSoManyLargeAnswersAtATime() throws Exception {
        try (Socket one = begun(NEVER_READ);
                Socket other = begun(NEVER_READ)) {
            HttpResponse<String> refused = service.app().get("/ids/sno?count=20000", "application/json");
            assertBusy(refused, Limit.STREAMS);
            assertEquals(
                    List.of(),
                    described.differences(described.route("GET", "/ids/sno").orElseThrow(), Answered.of(refused)));
            HttpResponse<String> text = service.app().get("/ids/sno?count=20000", "text/plain");
            assertEquals(503, text.statusCode());
            assertEquals(1, text.body().lines().count(), text.body());

            assertEquals(
                    10_000,
                    service.app().get("/ids/sno?count=10000").body().lines().count());
            assertEquals(200, service.app().status("/ids/gid"));
            assertTrue(one.isConnected() && other.isConnected());
        }
        awaitServed("/ids/sno?count=20000");
    }

    private static ObedientApplication.Draws draws() {
        return ((ObedientApplication) service.support().getApplication()).draws();
    }

    /** Clients that do not read, and those who wait for ZooKeeper, take all places; health checks and single IDs need none. */
    @Test
    void shouldAnswerSoManyRequestsAtATime() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        source.whenAskedForAHolder(() -> {
            asked.countDown();
            await().until(() -> free.getCount() == 0);
        });
        List<Socket> slow = new ArrayList<>();
        try (Socket one = begun(NEVER_READ);
                Socket other = begun(NEVER_READ);
                Socket reading = ask(SNO)) {
            assertTrue(asked.await(HangGuard.MINUTES, TimeUnit.MINUTES));
            takeTheLastPlaces(slow);
            assertBusy(service.app().get("/ids", "application/json"), Limit.REQUESTS);
            described.routes().stream()
                    .filter(route -> !route.path().equals("/health-check"))
                    .forEach(LimitsTest::assertBusyAsDescribed);
            OTHERS.forEach(request -> assertStatus("503", request));
            OF_CONSOLE.forEach(path -> assertBusy(service.app().get(path, "application/json"), Limit.REQUESTS));

            long onSelector = draws().onSelector();
            PLAIN.forEach(request -> assertStatus("200", request));
            assertEquals(onSelector + PLAIN.size(), draws().onSelector(), "single IDs wait for nobody who is refused");
            assertEquals(200, service.app().status("/health-check?type=alive"));
            assertTrue(Stream.of(one, other, reading).allMatch(Socket::isConnected));
        } finally {
            for (Socket each : slow) {
                each.close();
            }
            free.countDown();
            source.whenAskedForAHolder(() -> {});
        }
        await().until(() -> service.admission().inFlight() == 0);
        awaitServed("/ids");
        awaitServed(SNO);
        OTHERS.forEach(request -> assertStatus("200", request));
        OF_CONSOLE.forEach(path -> assertEquals(404, service.app().status(path), path));
        for (int i = 0; i < 3 * REQUESTS; i++) {
            assertEquals(200, service.app().status("/ids"), "a place is free when its request is over");
        }
    }

    /** It is read before its request is let in, and no thread waits for it. */
    @Test
    void shouldKeepNoPlaceForABodyThatDoesNotCome() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * THREADS; i++) {
                slow.add(sendABegunBody("POST", "x"));
            }
            assertEquals(200, service.app().status("/ids"));
            await().until(() -> service.admission().inFlight() == 0);
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    /** Nobody reads it; Jersey would, for the parameters of a form. */
    @Test
    void shouldAnswerAGetWhoseBodyDoesNotCome() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (Socket slow = sendABegunBody("GET", "")) {
                byte[] status = slow.getInputStream().readNBytes("HTTP/1.1 200".length());
                assertEquals("HTTP/1.1 200", new String(status, StandardCharsets.US_ASCII));
            }
        }
        await().until(() -> service.admission().free() == RunningService.PERMITS);
    }

    private static Socket sendABegunBody(String method, String body) throws IOException {
        return send(method + " /ids/sno HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\n\r\n" + body);
    }
}
