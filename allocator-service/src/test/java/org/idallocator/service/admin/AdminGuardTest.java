package org.idallocator.service.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers can do on the admin port: read, from the machine itself, under its own names. */
@ExtendWith(SharedService.class)
class AdminGuardTest {
    private static final String TOKEN = "Authorization: Bearer " + RunningService.TOKEN + "\r\n";

    private final RunningService service;

    AdminGuardTest(RunningService service) {
        this.service = service;
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /tasks/drain",
        "POST, /tasks/log-level?logger=com.example&level=DEBUG",
        "POST, /tasks/nothing",
        "POST, /tasks/%64rain",
        "DELETE, /leases/eightbyte/01?nonce=x",
        "PATCH, /nothing"
    })
    void shouldChangeNothingWithoutTheToken(String method, String path) {
        Http admin = service.strangersAdmin();

        for (Http stranger : List.of(admin, admin.showing("another-token-of-tests"), admin.showing(""))) {
            HttpResponse<String> refused = stranger.send(method, path, "*/*");
            assertEquals(401, refused.statusCode(), refused.body());
            assertEquals("Bearer realm=\"admin port\"", Http.header(refused, "WWW-Authenticate"));
            assertEquals("application/problem+json", Http.header(refused, "Content-Type"));
            assertFalse(refused.body().contains(RunningService.TOKEN));
        }
        assertEquals(200, service.app().status("/ids/sno"), "it was not drained");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/leases", "/fleet", "/healthcheck", "/prometheus", "/metrics", "/ping", "/console/state"})
    void shouldBeReadWithoutTheToken(String path) {
        HttpResponse<String> answer = service.strangersAdmin().get(path);

        assertEquals(200, answer.statusCode());
        assertEquals("nosniff", Http.header(answer, "X-Content-Type-Options"));
        assertEquals("DENY", Http.header(answer, "X-Frame-Options"));
        assertEquals("same-origin", Http.header(answer, "Cross-Origin-Resource-Policy"));
    }

    /** Whoever owns a name may have it lead to this machine; then the browser takes the page for one of this port. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | GET /ping                             | replicas.example:8081        |
            200 | GET /ping                             | REPLICAS.example             |
            200 | GET /ping                             | LOCALHOST:8081               |
            200 | GET /ping                             | 10.1.2.3                     |
            200 | GET /ping                             | [::1]:8081                   |
            200 | GET /ping                             | MACHINE:8081                 |
            200 | GET /ping                             | localhost:9                  | http://localhost:9
            200 | POST /tasks/resume                    | replicas.example:8081        | http://replicas.example:8081
            409 | DELETE /leases/eightbyte/63?nonce=x   | MACHINE:8081                 | https://MACHINE:8081
            403 | GET /ping                             |                              |
            403 | GET /ping                             | 1.2.3.256:8081               |
            403 | GET /ping                             | localhost.evil.example       |
            403 | GET /ping                             | 127.0.0.1.evil.example:8081  |
            403 | GET /ping                             | xreplicas.example            |
            403 | GET /ping                             | replicas.example.evil        |
            403 | GET /console/state                    | evil.example:8081            |
            403 | GET /nothing                          | evil.example:8081            |
            403 | POST /tasks/drain                     | evil.example:8081            | http://evil.example:8081
            403 | DELETE /leases/eightbyte/63?nonce=x   | evil.example:8081            | http://evil.example:8081
            403 | GET /prometheus                       | localhost                    | http://evil.example
            403 | POST /tasks/drain                     | localhost:8081               | http://localhost
            403 | POST /tasks/drain                     | localhost                    | null
            403 | POST /tasks/drain                     | localhost                    | %
            403 | GET /ping                             | localhost                    | http://localhost http://evil.example
            403 | GET /ping                             | localhost                    | http://localhost http://localhost
            """)
    void shouldAnswerUnderItsOwnNamesToItsOwnPages(
            int status, String request, @Nullable String host, @Nullable String origins) throws UnknownHostException {
        String own = InetAddress.getLocalHost().getHostName();
        String asked = host == null ? " HTTP/1.0\r\n" : " HTTP/1.1\r\nHost: " + host + "\r\n";
        String pages = origins == null ? "" : "Origin: " + origins.replace(" ", "\r\nOrigin: ") + "\r\n";
        String head = request + (asked + pages).replace("MACHINE", own) + "Connection: close\r\n";
        String answer = raw(head + TOKEN);

        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        assertTrue(!request.startsWith("GET") || raw(head).startsWith("HTTP/1.1 " + status + " "), "without the token");
        assertEquals(200, service.app().status("/ids/sno"), "it was not drained");
    }

    private String raw(String head) {
        return service.strangersAdmin().raw(head + "\r\n");
    }

    @Test
    void shouldSayWhomItDoesNotAnswer() {
        String name = raw("GET / HTTP/1.1\r\nHost: evil.example:8081\r\nConnection: close\r\n");
        String page = raw("GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\nConnection: close\r\n");

        assertTrue(name.contains("one of allocator.admin.hosts: evil.example:8081\""), name);
        assertTrue(page.contains("\"pages of http://evil.example may ask nothing of the admin port\""), page);
    }

    @ParameterizedTest
    @CsvSource({"/pprof/, 404", "/%70prof?duration=1, 404", "//pprof, 400", "/pprof;x=y, 404"})
    void shouldProfileForNobody(String path, int status) {
        assertEquals(status, service.admin().status(path));
        assertEquals(status, service.strangersAdmin().status(path));
    }

    /** A body that is too large is only announced: while it is sent, the server closes, and the answer may be lost. */
    @Test
    void shouldTakeNoLargeBody() {
        String head = "POST /tasks/resume HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + TOKEN
                + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ";
        String taken = service.strangersAdmin().raw(head + "8192\r\n\r\n" + "x".repeat(8_192));
        String refused = service.strangersAdmin().raw(head + "8193\r\n\r\n");
        assertTrue(taken.startsWith("HTTP/1.1 200 "), taken);
        assertTrue(refused.startsWith("HTTP/1.1 413 "), refused);
    }

    /** As somebody starts the service who has configured nothing. */
    @Test
    @ProofOnly("a server of its own")
    void shouldMakeATokenForWhoShowsIt(@TempDir Path data) throws IOException {
        try (RunningService own = RunningService.start(
                AllocatorApplication.class, "zookeeper.embedded.dataDir=" + data, "admin.token=")) {
            String made = Files.readString(data.resolve("admin-token")).strip();
            Http stranger = own.strangersAdmin();

            assertEquals(401, stranger.send("POST", "/tasks/resume", "*/*").statusCode());
            assertEquals(
                    200,
                    stranger.showing(made).send("POST", "/tasks/resume", "*/*").statusCode());
        }
    }
}
