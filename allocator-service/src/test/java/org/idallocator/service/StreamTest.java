package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.Said;
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
    @CsvSource({"sno,150000,count", "gid,10001,count", "muid,150000,count", "muid,150000,transaction=true&count"})
    void shouldStreamOneWholeJsonObject(String scheme, int count, String query) {
        HttpResponse<String> response =
                service.app().get("/ids/" + scheme + "?" + query + "=" + count, "application/json");

        assertEquals(count, Http.json(response).path("ids").size());
        assertEquals(count, Http.json(response).path("count").asInt());
        assertEquals(
                response.body().length(),
                response.headers().firstValueAsLong("Content-Length").orElse(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/json", "application/x-ndjson"})
    void shouldFailAtTheClientWhenCutOff(String accept) {
        source.fenceAfter(COUNT / 2);

        UncheckedIOException error =
                assertThrows(UncheckedIOException.class, () -> service.app().get("/ids/sno?count=" + COUNT, accept));
        assertTrue(error.getMessage() != null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Accept-Encoding: gzip\r\n"})
    void shouldEndWithoutAnEndOnTheWireWhenCutOff(String header) throws IOException {
        source.fenceAfter(COUNT / 2);
        String answer = raw("GET /ids/sno?count=" + COUNT + " HTTP/1.1\r\nHost: x\r\n" + header + "\r\n");
        String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 4);
        int body = answer.length() - head.length();

        assertTrue(head.startsWith("HTTP/1.1 200"), head);
        assertTrue(body > 0);
        if (header.isEmpty()) {
            assertTrue(head.contains("Content-Length: " + COUNT * 17), head);
            assertTrue(body < COUNT * 17);
        } else {
            assertTrue(head.contains("Transfer-Encoding: chunked"), head);
            assertFalse(answer.endsWith("\r\n0\r\n\r\n"), "the last chunk says that this is all");
        }
    }

    /** HTTP/1.0 has no chunks: only the length tells the whole from a part, and compression takes the length away. */
    @Test
    void shouldTellTheLengthOverHttp10AlsoToWhoTakesCompressedAnswers() throws IOException {
        source.fenceAfter(COUNT / 2);
        String answer = raw("GET /ids/sno?count=" + COUNT + " HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
        String head = answer.substring(0, answer.indexOf("\r\n\r\n") + 4);

        assertTrue(head.startsWith("HTTP/1.1 200"), head);
        assertTrue(head.contains("Content-Length: " + COUNT * 17), head);
        assertTrue(answer.length() - head.length() < COUNT * 17);
        assertFalse(head.contains("gzip"), head);
    }

    @Test
    void shouldEndWithoutTheLastChunkWhereTheLengthIsNotKnown() throws IOException {
        source.fenceAfter(15_000);
        String answer = raw("GET /ids/eightbyte?count=20000&form=decimal HTTP/1.1\r\nHost: x\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 200"), answer);
        assertTrue(answer.contains("Transfer-Encoding: chunked"), answer);
        assertFalse(answer.endsWith("\r\n0\r\n\r\n"), "the last chunk says that this is all");
    }

    /** Other tests cut off snos: the first failure of a kind is the first of this whole service. */
    @Test
    void shouldWarnOfACutOffAnswerOnceAlthoughAnotherClientSucceedsInBetween() {
        List<ILoggingEvent> told;
        try (Said said = new Said("org.idallocator.service.resources.IdsResource", Level.DEBUG)) {
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

    /** All that comes until the server closes the connection, in order or not. */
    private static String raw(String request) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Socket socket = new Socket("localhost", service.app().port())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            byte[] buffer = new byte[8_192];
            for (int n = socket.getInputStream().read(buffer);
                    n >= 0;
                    n = socket.getInputStream().read(buffer)) {
                answer.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketException reset) {
            assertTrue(answer.length() > 0, "reset before anything came");
        }
        return answer.toString();
    }

    @Test
    void shouldAnswer503WhenAStreamCannotEvenStart() {
        source.fence("sno", FenceReason.DEADLINE_PASSED);
        HttpResponse<String> response = service.app().get("/ids/sno?count=" + COUNT);

        assertEquals(503, response.statusCode());
        assertEquals("application/problem+json", Http.header(response, "Content-Type"));
        assertEquals("deadline-passed", Http.json(response).path("reason").asText());
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
            HttpResponse<String> response = service.app().send(method, "/ids/muid", "*/*");
            assertEquals(503, response.statusCode());
            assertEquals("2", Http.header(response, "Retry-After"));
        }
        HttpResponse<String> response = service.app().get("/ids/muid");
        assertAll(
                () -> assertEquals(
                        "urn:id-allocator:" + type,
                        Http.json(response).path("type").asText()),
                () -> assertEquals(code, Http.json(response).path("reason").asText()),
                () -> assertEquals(
                        "/problems/" + code, Http.json(response).path("help").asText()),
                () -> assertEquals(reason.sentence(), Http.detail(response)),
                () -> assertEquals(
                        reason.sentence() + "\n",
                        service.app().get("/ids/muid", "text/plain").body()),
                () -> assertEquals(200, service.app().status("/ids/sno")));
    }

    @Test
    void shouldSayOverCapacityWhenTimeHoldsNoMore() {
        source.exhaust("uid60");
        HttpResponse<String> response = service.app().get("/ids/uid60");

        assertEquals(503, response.statusCode());
        assertEquals("3", Http.header(response, "Retry-After"));
        assertEquals(
                "urn:id-allocator:over-capacity",
                Http.json(response).path("type").asText());
        assertEquals(
                "more IDs were asked for than the time holds: the next IDs are due in 2001 ms, after waiting up to 2000 ms",
                Http.detail(response));
    }
}
