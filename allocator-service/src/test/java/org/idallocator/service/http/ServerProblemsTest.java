package org.idallocator.service.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that the web server refuses before any route sees them. */
@ExtendWith(SharedService.class)
class ServerProblemsTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String TAIL = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Authorization: Bearer " + RunningService.TOKEN + "\r\n";

    static Stream<Arguments> requests() {
        return Stream.of(
                Arguments.of(414, "GET /ids/" + "x".repeat(20_000) + TAIL),
                Arguments.of(431, "GET /ids" + TAIL + "X-Long: " + "x".repeat(20_000) + "\r\n"),
                Arguments.of(400, "GET /ids/%zz" + TAIL),
                Arguments.of(400, "GET /ids/..%2fids" + TAIL),
                Arguments.of(400, "GET /ids/%00" + TAIL),
                Arguments.of(400, "GET /ids/a b" + TAIL),
                Arguments.of(400, "GET /ids HTTP/1.1\r\nConnection: close\r\n"),
                Arguments.of(400, "GET /ids" + TAIL + "Content-Length: x\r\n"),
                Arguments.of(400, "GET /ids" + TAIL + "No colon \u001b[31m\r\n"),
                Arguments.of(405, "FOO /ids" + TAIL),
                Arguments.of(505, "GET /ids HTTP/3.7\r\nHost: x\r\n"));
    }

    @ParameterizedTest
    @MethodSource("requests")
    void shouldAnswerInJson(int status, String request, RunningService service) throws JsonProcessingException {
        for (Http port : List.of(service.app(), service.admin())) {
            String answer = port.raw(request + "\r\n");
            JsonNode problem = MAPPER.readTree(body(answer));

            assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
            assertTrue(head(answer).contains("content-type: application/problem+json"), answer);
            assertTrue(head(answer).contains("cache-control: no-store"), answer);
            assertEquals(status, problem.path("status").asInt());
            assertFalse(problem.path("title").asText().isEmpty());
            assertFalse(problem.path("detail").asText().isEmpty());
            assertEquals(4, problem.size(), "nothing twice: " + answer);
            assertTrue(problem.path("type").asText().startsWith("urn:id-allocator:"), answer);
            assertTrue(body(answer).chars().noneMatch(each -> each < ' ' && each != '\n'), answer);
            assertTrue(answer.endsWith("}\n"), answer);
        }
    }

    @Test
    void shouldAnswerInOneLineToWhoAskedForText(RunningService service) {
        String answer = service.app().raw("GET /ids/..%2fids" + TAIL + "Accept: text/plain\r\n\r\n");

        assertTrue(head(answer).contains("content-type: text/plain;charset=utf-8"), answer);
        assertEquals(1, body(answer).lines().count());
        assertFalse(body(answer).contains("<"), answer);
    }

    @Test
    void shouldSayWhoMayRefuseAMethod(RunningService service) {
        HttpResponse<String> refused = service.app().send("TRACE", "/ids/sno", "text/plain");

        assertEquals(405, refused.statusCode());
        assertEquals(
                "the path does not take this method, or the web server does not (server.allowedMethods)\n",
                refused.body());
    }

    /** Jakarta's servlets have words of their own for that. */
    @Test
    void shouldSayTheSameWhereAServletRefusesAMethod(RunningService service) {
        HttpResponse<String> refused = service.app().send("POST", "/console/state", "application/json");

        assertEquals(
                "the path does not take this method, or the web server does not (server.allowedMethods)",
                Http.detail(refused));
    }

    /** Such an Accept says nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"/console/nope", "/nothing", "/ids/sno/nope"})
    void shouldAnswerWhoseAcceptCannotBeRead(String path, RunningService service) {
        String answer = service.app()
                .raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAccept: ,;=\"\r\n\r\n");

        assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
        assertTrue(answer.contains("application/problem+json"), answer);
    }

    /** Each with the methods that the path takes, where Dropwizard tells them, or the path is the allocator's own. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            app   | POST   | /health-check             | 405 | ''
            app   | GET    | /console/nope             | 404 | ''
            app   | GET    | /console/read?id=n%C3%B6  | 400 | ''
            app   | POST   | /console/state            | 405 | ''
            app   | DELETE | /ids/sno                  | 405 | GET, HEAD, OPTIONS, POST
            admin | GET    | /console/nope             | 404 | ''
            admin | GET    | /leases/n%C3%B6pe         | 404 | ''
            admin | GET    | /leases/eightbyte/99      | 400 | ''
            admin | PUT    | /leases                   | 405 | DELETE, GET, HEAD, OPTIONS
            admin | POST   | /fleet                    | 405 | GET, HEAD, OPTIONS
            admin | GET    | /tasks/drain              | 405 | OPTIONS, POST
            admin | GET    | /nothing                  | 404 | ''
            """)
    void shouldAnswerAsAcceptSays(
            String port, String method, String path, int status, String allowed, RunningService service) {
        Http asked = port.equals("app") ? service.app() : service.admin();
        HttpResponse<String> json = asked.send(method, path, "application/json");
        HttpResponse<String> text = asked.send(method, path, "text/plain");

        assertEquals(status, json.statusCode());
        assertEquals(status, text.statusCode());
        assertEquals("application/problem+json", Http.header(json, "Content-Type"));
        assertEquals("text/plain;charset=utf-8", Http.header(text, "Content-Type"));
        String detail = Http.detail(json);
        assertEquals(detail + "\n", text.body());
        assertEquals(allowed, sorted(Http.header(json, "Allow")));
        assertEquals(allowed, sorted(Http.header(text, "Allow")));
        assertTrue(Stream.of(allowed.split(", ", -1)).allMatch(detail::contains), detail);
    }

    private static String sorted(String allowed) {
        return Stream.of(allowed.split(", *", -1)).sorted().collect(Collectors.joining(", "));
    }

    /** At a terminal, the prompt comes on a line of its own. */
    @Test
    void shouldEndEveryAnswerWithANewline(RunningService service) {
        String paths = "/ids /ids/sno /ids/sno?count=2 /ids/muid?transaction=true /leases /ids/sno/9q7qmwq2222dhi22"
                + " /health-check?name=all /health-check?name=sno /nothing";
        for (String path : paths.split(" ", -1)) {
            String body = service.app().get(path, "application/json").body();
            assertTrue(body.endsWith("\n") && !body.endsWith("\n\n"), path);
        }
        assertTrue(service.admin().get("/leases").body().endsWith("}\n"));
    }

    private static String head(String answer) {
        return answer.substring(0, answer.indexOf("\r\n\r\n")).toLowerCase(Locale.ROOT);
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }
}
