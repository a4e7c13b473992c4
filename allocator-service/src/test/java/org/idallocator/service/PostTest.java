package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests with a body. */
@ExtendWith(SharedService.class)
class PostTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Method, path, type of the body, body, status and how the detail begins. */
    static final String TABLE = """
            POST | /ids/sno?count=3 | application/x-www-form-urlencoded | count=4 | 400 | count must be the same in the query and in the body: 3 and 4
            POST | /ids/sno?count=3 | application/json      | {"count":4}           | 400 | count must be the same in the query and in the body: 3 and 4
            POST | /ids/sno         | application/x-www-form-urlencoded | count=3&count=3 | 400 | count must be given once: 3, 3
            POST | /ids/sno         | application/x-www-form-urlencoded | count=     | 400 | count must have a value: it is empty
            POST | /ids/sno         | application/x-www-form-urlencoded | count=0    | 400 | count must be 1..40960000: 0
            POST | /ids/sno         | application/x-www-form-urlencoded | colour=red | 400 | unknown parameter colour; allowed here: count, metabyte, form
            POST | /ids/sno         | application/x-www-form-urlencoded | count=%zz  | 400 | the body cannot be read: it broke off, or its chunks, its escapes or its compression are wrong
            POST | /ids/sno         | application/json      | {"count":1.5}         | 400 | count must be 1..40960000: 1.5
            POST | /ids/sno         | application/json      | {"count":null}        | 400 | count must be 1..40960000: null
            POST | /ids/sno         | application/json      | {"count":[3]}         | 400 | count must be 1..40960000: [3]
            POST | /ids/sno         | application/json      | {"count":{"of":3}}    | 400 | count must be 1..40960000: {of=3}
            POST | /ids/sno         | application/json      | [3]                   | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | 3                     | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"count":3,"count":4} | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"count":3} {}        | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"count":3            | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | count=3               | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | é                | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | text/plain            | 3                     | 415 | a body must be application/x-www-form-urlencoded (count=3) or application/json ({"count":3})
            POST | /ids/sno         | none                  | 3                     | 415 | a body must be application/x-www-form-urlencoded (count=3) or application/json ({"count":3})
            POST | /ids/nope        | application/json      | 3                     | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            """;

    private static HttpResponse<String> send(
            String method, String path, @Nullable String type, String body, RunningService service) {
        HttpRequest.Builder request =
                service.app().request(path).method(method, BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1));
        if (type != null) {
            request.header("Content-Type", type);
        }
        return service.app().send(request);
    }

    private static HttpResponse<String> post(String path, @Nullable String type, String body, RunningService service) {
        return send("POST", path, type, body, service);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ids/sno                    | application/x-www-form-urlencoded                | count=3&metabyte=7
            /ids/sno                    | application/x-www-form-urlencoded; charset=UTF-8 | metabyte=%37&count=3
            /ids/sno?count=3            | application/x-www-form-urlencoded                | metabyte=7
            /ids/sno?count=3&metabyte=7 | application/x-www-form-urlencoded                | metabyte=7
            /ids/sno                    | application/json                                 | {"count":3,"metabyte":7}
            /ids/sno                    | application/json; charset=utf-8                  | {"count":"3","metabyte":"7"}
            /ids/sno?count=3            | application/json                                 | {"metabyte":7,"count":3}
            /ids/sno?metabyte=7&count=3 | application/json                                 | {}
            """)
    void shouldTakeParametersFromTheBody(String path, String type, String body, RunningService service) {
        HttpResponse<String> response = post(path, type, body, service);

        assertEquals(200, response.statusCode(), response.body());
        assertEquals(3, response.body().lines().count());
        response.body().lines().forEach(id -> assertEquals(7, metabyte(id, service)));
    }

    private static int metabyte(String sno, RunningService service) {
        return service.app().json("/ids/sno/" + sno).at("/fields/2/value").asInt();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ids/muid          | {"transaction":true,"count":2} | 3
            /ids/gid           | {"type":"log","form":"hex"}    | 1
            /ids/uid60?count=2 | {"form":"decimal"}             | 2
            """)
    void shouldTakeEveryParameterOfEveryScheme(String path, String body, int lines, RunningService service) {
        HttpResponse<String> response = post(path, "application/json", body, service);

        assertEquals(200, response.statusCode(), response.body());
        assertEquals(lines, response.body().lines().count());
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"text/plain", "application/json", "image/png"})
    void shouldTakeAnEmptyBodyOfAnyTypeForNone(@Nullable String type, RunningService service) {
        HttpResponse<String> response = post("/ids/sno?count=2", type, "", service);

        assertEquals(200, response.statusCode());
        assertEquals(2, response.body().lines().count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = TABLE)
    void shouldRefuseWhatCannotBeRead(
            String method,
            String path,
            @Nullable String type,
            String body,
            int status,
            String detail,
            RunningService service) {
        HttpResponse<String> response = send(method, path, type, body, service);

        assertEquals(status, response.statusCode(), response.body());
        String said = Http.detail(response);
        assertEquals(detail, said);
    }

    @Test
    void shouldRefuseABodyThatIsTooLarge(RunningService service) {
        HttpResponse<String> fits = post("/ids/sno", FORM, "count=2" + "&".repeat(8_192 - 7), service);
        HttpResponse<String> large = post("/ids/sno", FORM, "count=2" + "&".repeat(8_192 - 6), service);
        HttpResponse<String> huge = post("/ids/sno", FORM, "count=2" + "&".repeat(100_000), service);

        assertEquals(200, fits.statusCode(), fits.body());
        assertEquals(413, large.statusCode());
        assertEquals("a body must be 8192 bytes at most", Http.detail(large));
        assertEquals(413, huge.statusCode());
    }

    /** Few bytes may be many, compressed. */
    @Test
    void shouldRefuseABodyThatIsTooLargeWhenItIsUncompressed(RunningService service) throws IOException {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(("count=2" + "&".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
        }
        HttpRequest.Builder request = service.app()
                .request("/ids/sno")
                .header("Content-Type", FORM)
                .header("Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(compressed.toByteArray()));

        assertEquals(413, service.app().send(request).statusCode());
    }

    @Test
    void shouldTakeAGetWithoutContentAsOneWithoutBody(RunningService service) {
        String answer = service.app().raw(chunkedGet("0", ""));

        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }

    private static String chunkedGet(String... chunks) {
        return head("GET", "Transfer-Encoding: chunked")
                + Stream.of(chunks).map(line -> line + "\r\n").collect(Collectors.joining());
    }

    private static String head(String method, String... headers) {
        Stream<String> first = Stream.of(
                method + " /ids/sno HTTP/1.1",
                "Host: localhost",
                "Connection: close",
                "Content-Type: application/json");
        return Stream.concat(Stream.concat(first, Stream.of(headers)), Stream.of(""))
                .map(line -> line + "\r\n")
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource({"POST, zz|", "POST, 2|{}|!|"})
    void shouldSayThatChunksAreBroken(String method, String chunks, RunningService service) {
        String answer = service.app().raw(head(method, "Transfer-Encoding: chunked") + chunks.replace("|", "\r\n"));

        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("the body cannot be read: it broke off"), answer);
    }

    @Test
    void shouldSayThatTheBodyIsNotCompressedAsItSays(RunningService service) {
        String broken = service.app().raw(head("POST", "Content-Length: 2", "Content-Encoding: gzip") + "{}");

        assertTrue(broken.startsWith("HTTP/1.1 400 "), broken);
        assertTrue(broken.contains("the body cannot be read: it broke off"), broken);
    }

    @Test
    void shouldReadABodyThatComesInTwoPackets(RunningService service) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            OutputStream out = socket.getOutputStream();
            String blanks = " ".repeat(300); // as many bytes as the service takes half a minute for
            out.write((head("POST", "Content-Length: 311") + blanks + "{\"coun").getBytes(StandardCharsets.US_ASCII));
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            out.write("t\":3}".getBytes(StandardCharsets.US_ASCII));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        }
    }

    @Test
    void shouldNotWaitForABodyThatDripsIn(RunningService service) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            OutputStream out = socket.getOutputStream();
            out.write(head("POST", "Content-Length: 8000").getBytes(StandardCharsets.US_ASCII));
            await().pollInterval(Duration.ofMillis(300)).until(() -> {
                out.write(' ');
                return socket.getInputStream().available() > 0;
            });
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
            assertTrue(answer.contains("the body came too slowly: it has to come within 10 s"), answer);
        }
    }
}
