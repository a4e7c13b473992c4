package org.idallocator.service.http;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.server.Response;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.Said;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests with a body. */
@ExtendWith(SharedService.class)
class PostTest {
    private static final String FORM = "application/x-www-form-urlencoded";

    /** Method, path, type of the body, body, status and how the detail begins. */
    static final String TABLE = """
            POST | /ids/sno?count=3 | application/x-www-form-urlencoded | count=4 | 400 | count must be the same in the query and in the body: 3 and 4
            POST | /ids/sno         | application/x-www-form-urlencoded | count=3&count=3 | 400 | count must be given once: 3, 3
            POST | /ids/sno         | application/x-www-form-urlencoded | count=     | 400 | count must have a value: it is empty
            POST | /ids/sno         | application/x-www-form-urlencoded | colour=red | 400 | unknown parameter colour; allowed here: count, metabyte, form, after
            POST | /ids/sno         | application/x-www-form-urlencoded | count=%zz  | 400 | the body cannot be read: it broke off, or its chunks, its escapes or its compression are wrong
            POST | /ids/sno         | application/x-www-form-urlencoded | count=%    | 400 | the body cannot be read: it broke off, or its chunks, its escapes or its compression are wrong
            POST | /ids/sno         | application/x-www-form-urlencoded | count=%4   | 400 | the body cannot be read: it broke off, or its chunks, its escapes or its compression are wrong
            POST | /ids/sno         | application/json      | {"count":null}        | 400 | count must be 1..40960000: null
            POST | /ids/sno         | application/json      | {"count":[3]}         | 400 | count must be 1..40960000: [3]
            POST | /ids/sno         | application/json      | null                  | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | [3]                   | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | 3                     | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | "count"               | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | ' '                   | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"colour":null}       | 400 | unknown parameter colour; allowed here: count, metabyte, form, after
            POST | /ids/sno         | application/json      | {"count":3,"count":4} | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"count":3} {}        | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | {"count":3            | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | application/json      | é                | 400 | the body must be one object such as {"count":3}
            POST | /ids/sno         | text/plain            | 3                     | 415 | a body must be application/x-www-form-urlencoded (count=3) or application/json ({"count":3})
            POST | /ids/sno         | none                  | 3                     | 415 | a body must be application/x-www-form-urlencoded (count=3) or application/json ({"count":3})
            POST | /ids/nope        | application/json      | 3                     | 404 | unknown scheme nope; known are sno, muid, eightbyte, uid60, gid
            """;

    private static HttpResponse<String> post(String path, @Nullable String type, String body, RunningService service) {
        HttpRequest.Builder request =
                service.app().request(path).POST(BodyPublishers.ofString(body, StandardCharsets.ISO_8859_1));
        return service.app().send(type == null ? request : request.header("Content-Type", type));
    }

    /** Every parameter of every scheme; of snos always with this metabyte. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            /ids/sno                    | application/x-www-form-urlencoded                | count=3&metabyte=7             | 3
            /ids/sno                    | application/x-www-form-urlencoded; charset=UTF-8 | metabyte=%37&count=3           | 3
            /ids/sno?count=3            | application/x-www-form-urlencoded                | metabyte=7                     | 3
            /ids/sno?count=3&metabyte=7 | application/x-www-form-urlencoded                | metabyte=7                     | 3
            /ids/sno                    | application/json                                 | {"count":3,"metabyte":7}       | 3
            /ids/sno                    | application/json; charset=utf-8                  | {"count":"3","metabyte":"7"}   | 3
            /ids/sno?metabyte=7&count=3 | application/json                                 | {}                             | 3
            /ids/sno?metabyte=7&count=2 |                                                  | ''                             | 2
            /ids/sno?metabyte=7&count=2 | image/png                                        | ''                             | 2
            /ids/sno?metabyte=7&count=2 | application/json                                 | ''                             | 2
            /ids/muid                   | application/json                                 | {"transaction":true,"count":2} | 3
            /ids/gid                    | application/json                                 | {"type":"log","form":"hex"}    | 1
            /ids/uid60?count=2          | application/json                                 | {"form":"decimal"}             | 2
            """)
    void shouldTakeParametersFromTheBody(
            String path, @Nullable String type, String body, int lines, RunningService service) {
        HttpResponse<String> response = post(path, type, body, service);

        assertEquals(200, response.statusCode(), response.body());
        assertEquals(lines, response.body().lines().count());
        if (path.startsWith("/ids/sno")) {
            response.body()
                    .lines()
                    .forEach(id -> assertEquals(
                            7,
                            service.app()
                                    .json("/ids/sno/" + id)
                                    .at("/fields/2/value")
                                    .asInt()));
        }
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
        HttpResponse<String> response = post(path, type, body, service);

        assertEquals(status, response.statusCode(), response.body());
        assertEquals(detail, Http.detail(response));
    }

    /** Few bytes may be many, compressed. */
    @Test
    void shouldRefuseABodyThatIsTooLarge(RunningService service) throws IOException {
        HttpResponse<String> fits = post("/ids/sno", FORM, "count=2" + "&".repeat(8_192 - 7), service);
        HttpResponse<String> large = post("/ids/sno", FORM, "count=2" + "&".repeat(8_192 - 6), service);
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(("count=2" + "&".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
        }
        HttpRequest.Builder huge = service.app()
                .request("/ids/sno")
                .headers("Content-Type", FORM, "Content-Encoding", "gzip")
                .POST(BodyPublishers.ofByteArray(compressed.toByteArray()));

        assertEquals(200, fits.statusCode(), fits.body());
        assertEquals(413, large.statusCode());
        assertEquals("a body must be 8192 bytes at most", Http.detail(large));
        assertEquals(413, service.app().send(huge).statusCode());
    }

    /**
     * The client sends no more than the service reads: else it may hear that the connection was closed, and not why.
     */
    @Test
    void shouldRefuseABodyBeforeItsEndWhenItIsTooLarge(RunningService service) {
        String answer = service.app().raw(head("POST", "Content-Length: 100000") + "a".repeat(8_193));

        assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
    }

    private static String head(String method, String more) {
        return method
                + " /ids/sno HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n"
                + more + "\r\n\r\n";
    }

    @Test
    void shouldTakeAGetWithoutContentAsOneWithoutBody(RunningService service) {
        String answer = service.app().raw(head("GET", "Transfer-Encoding: chunked") + "0\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
    }

    /** In its chunks, or in its compression. */
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            Transfer-Encoding: chunked;               zz|
            Transfer-Encoding: chunked;               2|{}|!|
            Content-Length: 2|Content-Encoding: gzip; {}
            """)
    void shouldSayThatABodyIsBroken(String headers, String body, RunningService service) {
        String answer = service.app().raw((head("POST", headers) + body).replace("|", "\r\n"));

        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("the body cannot be read: it broke off"), answer);
    }

    /** Dropwizard looks for broken compression after the answer, and would answer, and log, once more. */
    @Test
    void shouldLogNothingOfABodyWhoseCompressionIsBroken(RunningService service) {
        List<String> told;
        try (Said said = new Said(Response.class)) {
            String answer = service.app()
                    .raw(head("POST", "Content-Length: 2|Content-Encoding: gzip")
                                    .replace("|", "\r\n") + "{}");
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            assertEquals(200, service.app().status("/ids"));
            told = said.events().stream()
                    .map(ILoggingEvent::getFormattedMessage)
                    .filter(message ->
                            message.contains("gzip") || message.contains("completed")) // other tests run beside
                    .toList();
        }

        assertEquals(List.of(), told);
    }

    @Test
    void shouldReadABodyThatComesInTwoPackets(RunningService service) throws IOException {
        String blanks = " ".repeat(300); // as many bytes as the service takes half a minute for
        try (Socket socket = service.asking(head("POST", "Content-Length: 311") + blanks + "{\"coun")) {
            await().pollDelay(Duration.ofMillis(500)).until(() -> true);
            socket.getOutputStream().write("t\":3}".getBytes(StandardCharsets.US_ASCII));

            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        }
    }

    /** {@code BodyHandlerTest} has it with a shorter time. */
    @Test
    @ProofOnly("it takes ten seconds")
    void shouldNotWaitForABodyThatDripsIn(RunningService service) throws IOException {
        try (Socket socket = service.asking(head("POST", "Content-Length: 8000"))) {
            await().pollInterval(Duration.ofMillis(300)).until(() -> {
                socket.getOutputStream().write(' ');
                return socket.getInputStream().available() > 0;
            });
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
            assertTrue(answer.contains("the body came too slowly: it has to come within 10 s"), answer);
        }
    }
}
