package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.id.Sno;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts above 10,000, and what becomes of the answers when a fence trips while they are written. */
class StreamTest {
    private static final int COUNT = 200_000;

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    private final ObedientSource source =
            ((ObedientApplication) service.support().getApplication()).source();

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class);
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void serve() {
        source.serve();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-ndjson"})
    void shouldStreamAsManyLinesAsAskedFor(String accept) {
        HttpResponse<String> response = service.app().get("/ids/sno?count=" + COUNT, accept);

        assertEquals(COUNT, response.body().lines().distinct().count());
        assertTrue(response.body().endsWith("\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "sno, 150000, form=canonical",
        "gid, 10001, form=uuid",
        "eightbyte, 10001, form=decimal",
        "muid, 150000, form=hex",
        "muid, 150000, transaction=true"
    })
    void shouldStreamOneWholeJsonObject(String scheme, int count, String query) {
        HttpResponse<String> response =
                service.app().get("/ids/" + scheme + "?" + query + "&count=" + count, "application/json");

        JsonNode ids = Http.json(response).path("ids");
        assertEquals(count, ids.valueStream().distinct().count());
        assertEquals(count, Http.json(response).path("count").asInt());
        assertEquals(
                query.equals("form=decimal")
                        ? ""
                        : String.valueOf(response.body().length()),
                Http.header(response, "Content-Length"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/json", "application/x-ndjson"})
    void shouldFailAtTheClientWhenCutOff(String accept) {
        source.fenceAfter(COUNT / 2);

        assertThrows(UncheckedIOException.class, () -> service.app().get("/ids/sno?count=" + COUNT, accept));
    }

    /**
     * Where the length is not told, the last chunk would say that this is all. HTTP/1.0 has no chunks: only the length
     * tells the whole from a part, and compression would take the length away.
     */
    @ParameterizedTest
    @CsvSource({
        "sno?count=200000, 100000, 1.1, identity, 3400000",
        "sno?count=200000, 100000, 1.1, gzip, 0",
        "sno?count=200000, 100000, 1.0, gzip, 3400000",
        "eightbyte?count=20000&form=decimal, 15000, 1.1, identity, 0"
    })
    void shouldEndWithoutAnEndOnTheWireWhenCutOff(String what, int ids, String version, String encoding, int length)
            throws IOException {
        source.fenceAfter(ids);
        String answer = raw("GET /ids/" + what + " HTTP/" + version + "\r\nHost: x\r\nAccept-Encoding: " + encoding);
        String head = answer.split("\r\n\r\n", 2)[0];
        int body = answer.length() - head.length() - 4;

        assertTrue(head.startsWith("HTTP/1.1 200"), head);
        assertTrue(body > 0);
        assertEquals(length == 0, head.contains("Transfer-Encoding: chunked"), head);
        assertEquals(length == 0 && encoding.equals("gzip"), head.contains("gzip"), head);
        if (length > 0) {
            assertTrue(head.contains("Content-Length: " + length), head);
            assertTrue(body < length);
        } else {
            assertFalse(answer.endsWith("\r\n0\r\n\r\n"), "the last chunk says that this is all");
        }
    }

    @ParameterizedTest
    @CsvSource({"eightbyte?count=20000&form=decimal, 15000, identity", "sno?count=200000, 100000, gzip"})
    void shouldEndWithoutAnEndOnTheWireAlsoWhereTheClientWantsNothingAfterIt(String what, int ids, String encoding)
            throws IOException {
        source.fenceAfter(ids);
        String answer =
                raw("GET /ids/" + what + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: " + encoding);

        assertTrue(answer.contains("Connection: close\r\n"));
        assertTrue(answer.contains("Transfer-Encoding: chunked\r\n"));
        assertEquals(encoding.equals("gzip"), answer.contains("Content-Encoding: gzip\r\n"));
        assertFalse(answer.endsWith("\r\n0\r\n\r\n"), "the last chunk says that this is all");
    }

    /** All that comes until the server closes the connection, in order or not. */
    private static String raw(String head) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = service.asking(head + "\r\n\r\n")) {
            socket.getInputStream().transferTo(answer);
        } catch (SocketException reset) {
            assertTrue(answer.size() > 0, "reset before anything came");
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    /** Other tests cut off snos: the first failure of a kind is the first of this whole service. */
    @Test
    void shouldWarnOfACutOffAnswerOnceAlthoughAnotherClientSucceedsInBetween() {
        List<ILoggingEvent> told;
        try (Said said = new Said("org.idallocator.dropwizard.resources.IdsResource", Level.DEBUG)) {
            String path = "/ids/gid?count=" + COUNT;
            for (int i = 0; i < 3; i++) {
                source.fenceAfter(COUNT / 2);
                assertThrows(UncheckedIOException.class, () -> service.app().get(path));
                source.serve();
                assertEquals(200, service.app().status(path));
            }
            told = said.events();
        }

        assertEquals(
                List.of(Level.WARN, Level.DEBUG, Level.DEBUG),
                told.stream().map(ILoggingEvent::getLevel).toList());
        assertTrue(told.get(0).getFormattedMessage().startsWith("Cut off an answer of gid after "));
        assertTrue(told.get(0).getFormattedMessage().endsWith(" bytes: " + FenceReason.DEADLINE_PASSED.sentence()));
        assertEquals(
                List.of(false, true, true),
                told.stream().map(event -> event.getThrowableProxy() != null).toList());
    }

    @Test
    void shouldAnswerNothingOfABatchThatCannotBeFinished() {
        source.fenceAfter(5_000);

        assertEquals(503, service.app().status("/ids/sno?count=10000"));
    }

    @ParameterizedTest
    @CsvSource({
        "DEADLINE_PASSED, fenced, deadline-passed",
        "STARTING, fenced, starting",
        "UNREACHABLE, fenced, unreachable",
        "META_GONE, fenced, meta-gone",
        "NO_FREE_SLOT, no-free-slot, no-free-slot",
        "CLOCK_SKEW, clock-skew, clock-skew"
    })
    void shouldSayWhyNothingIsIssued(FenceReason reason, String type, String code) {
        source.fence("muid", reason);

        for (String method : List.of("GET", "POST", "HEAD")) {
            for (String path : List.of("/ids/muid", "/ids/muid?count=" + COUNT)) {
                HttpResponse<String> refused = service.app().send(method, path, "text/plain");
                assertEquals(503, refused.statusCode());
                assertEquals("2", Http.header(refused, "Retry-After"));
                assertEquals(method.equals("HEAD") ? "" : reason.sentence() + "\n", refused.body());
            }
        }
        JsonNode problem = refused("/ids/muid?count=" + COUNT, type, "2");
        assertEquals(problem, refused("/ids/muid", type, "2"));
        assertEquals(code, problem.path("reason").asText());
        assertEquals("/problems/" + code, problem.path("help").asText());
        assertEquals(reason.sentence(), problem.path("detail").asText());
        assertEquals(200, service.app().status("/ids/sno"));
    }

    /** The problem that the answer has. */
    private static JsonNode refused(String path, String type, String retryAfter) {
        HttpResponse<String> response = service.app().get(path);

        assertEquals(503, response.statusCode());
        assertEquals("application/problem+json", Http.header(response, "Content-Type"));
        assertEquals(retryAfter, Http.header(response, "Retry-After"));
        assertEquals(
                "urn:id-allocator:" + type, Http.json(response).path("type").asText());
        return Http.json(response);
    }

    @Test
    void shouldSayOverCapacityWhenTimeHoldsNoMore() {
        source.exhaust("uid60");

        assertEquals(
                "more IDs were asked for than the time holds: the next IDs are due in 2001 ms, after waiting up to 2000 ms",
                refused("/ids/uid60", "over-capacity", "3").path("detail").asText());
    }

    /** One ID, a list and a stream: nothing of it has begun. */
    @ParameterizedTest
    @ValueSource(strings = {"", "&count=10", "&count=20000"})
    void shouldTellWhenToAskAgainWhereTheClockIsBehindAnIdThatWasSeen(String more) {
        source.stopTheClock();
        Sno seen = Sno.first(source.now().plusMillis(4_500));

        JsonNode problem = refused("/ids/sno?after=" + seen + more, "ahead", "5");

        assertEquals("/problems/ahead", problem.path("help").asText());
        assertTrue(
                problem.path("detail")
                        .asText()
                        .endsWith("at " + seen.time().plusMillis(4) + "; callers wait up to 2000 ms"),
                problem.toString());
    }

    @Test
    void shouldSayThatTheClockIsBehindWhenItWasPutBack() {
        source.putClockBack("uid60");

        JsonNode problem = refused("/ids/uid60", "fenced", "3");

        assertEquals("clock-behind", problem.path("reason").asText());
        assertEquals("/problems/clock-behind", problem.path("help").asText());
    }
}
