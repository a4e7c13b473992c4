package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.core.server.DefaultServerFactory;
import io.dropwizard.jetty.HttpConnectorFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What strangers can do on the admin port: read, from the machine itself, under its own names. */
@ExtendWith(SharedService.class)
class AdminGuardTest {
    private static final String PROBLEM = "application/problem+json";

    private final RunningService service;

    AdminGuardTest(RunningService service) {
        this.service = service;
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /tasks/drain",
        "POST, /tasks/resume",
        "POST, /tasks/rotate?scheme=sno",
        "POST, /tasks/log-level?logger=com.example&level=DEBUG",
        "POST, /tasks/gc",
        "POST, /tasks/nothing",
        "POST, /tasks/%64rain",
        "DELETE, /leases/eightbyte/01?nonce=x",
        "PUT, /metrics",
        "PATCH, /nothing"
    })
    void shouldChangeNothingWithoutTheToken(String method, String path) {
        Http admin = service.strangersAdmin();

        for (Http stranger : List.of(admin, admin.showing("another-token-of-tests"), admin.showing(""))) {
            HttpResponse<String> refused = stranger.send(method, path, "*/*");
            assertEquals(401, refused.statusCode(), refused.body());
            assertEquals("Bearer realm=\"admin port\"", Http.header(refused, "WWW-Authenticate"));
            assertEquals(PROBLEM, Http.header(refused, "Content-Type"));
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

    @ParameterizedTest
    @ValueSource(strings = {"/", "/leases", "/prometheus", "/console/state", "/nothing"})
    void shouldTellNothingUnderANameOfSomebodyElse(String path) {
        for (String more : List.of("", "Authorization: Bearer " + RunningService.TOKEN + "\r\n")) {
            String answer = raw("GET " + path + " HTTP/1.1\r\nHost: evil.example:8081\r\n" + more);
            assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
            assertTrue(answer.contains("one of allocator.admin.hosts: evil.example:8081\""), answer);
        }
        String origin = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n");
        assertTrue(origin.startsWith("HTTP/1.1 403 "), origin);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /ping HTTP/1.0\r\n",
                "GET /ping HTTP/1.1\r\nHost: 999.1.1.1\r\n",
                "GET /ping HTTP/1.1\r\nHost: 1.2.3.256:8081\r\n",
                "GET /ping HTTP/1.1\r\nHost: localhost.evil.example\r\n",
                "GET /ping HTTP/1.1\r\nHost: 127.0.0.1.evil.example:8081\r\n",
                "GET /ping HTTP/1.1\r\nHost: xreplicas.example\r\n",
                "GET /ping HTTP/1.1\r\nHost: replicas.example.evil\r\n",
                "GET /ping HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.example\r\n",
                "GET /ping HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nOrigin: http://localhost\r\n"
            })
    void shouldRefuseWhoDoesNotSayWhomItAsksAndForWhom(String head) {
        String answer = raw(head);

        assertTrue(answer.startsWith("HTTP/1.1 403 "), answer);
    }

    private String raw(String head) {
        return service.strangersAdmin().raw(head + "Connection: close\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /ping HTTP/1.0\r\nHost: 127.0.0.1\r\n",
                "GET /ping HTTP/1.1\r\nHost: replicas.example:8081\r\n",
                "GET /ping HTTP/1.1\r\nHost: REPLICAS.example\r\n",
                "GET /ping HTTP/1.1\r\nHost: LOCALHOST:8081\r\n",
                "GET /ping HTTP/1.1\r\nHost: 10.1.2.3\r\n",
                "GET /ping HTTP/1.1\r\nHost: [::1]:8081\r\n",
                "GET /ping HTTP/1.1\r\nHost: localhost:9\r\nOrigin: http://localhost:9\r\n"
            })
    void shouldAnswerUnderItsOwnNames(String head) {
        String answer = raw(head);

        assertTrue(answer.contains(" 200 OK\r\n"), answer);
    }

    @Test
    void shouldAnswerUnderTheNameOfItsMachine() throws UnknownHostException {
        String name = InetAddress.getLocalHost().getHostName();

        shouldAnswerUnderItsOwnNames("GET /ping HTTP/1.1\r\nHost: " + name + ":8081\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "/pprof, 404",
        "/pprof?duration=1, 404",
        "/%70prof, 404",
        "/pprof/, 404",
        "//pprof, 400",
        "/pprof;x=y, 404"
    })
    void shouldProfileForNobody(String path, int status) {
        assertEquals(status, service.admin().status(path));
        assertEquals(status, service.strangersAdmin().status(path));
    }

    @Test
    void shouldTakeNoLargeBody() {
        for (int size : new int[] {8_192, 8_193}) {
            HttpResponse<String> answer = service.admin()
                    .send(service.admin()
                            .request("/tasks/resume")
                            .POST(BodyPublishers.ofString("x".repeat(size)))
                            .header("Content-Type", "application/x-www-form-urlencoded"));
            assertEquals(size > 8_192 ? 413 : 200, answer.statusCode(), answer.body());
        }
    }

    @Test
    void shouldListenForItsOwnMachineAlone() {
        List<String> hosts = Arrays.stream(service.support()
                        .getEnvironment()
                        .getAdminContext()
                        .getServer()
                        .getConnectors())
                .filter(connector -> "admin".equals(connector.getName()))
                .map(connector -> ((ServerConnector) connector).getHost())
                .toList();

        assertEquals(List.of("127.0.0.1"), hosts);
    }

    /** Where the file says nothing of the server, and where it says where the port listens. */
    @Test
    void shouldListenWhereItIsToldTo() {
        DefaultServerFactory server = new DefaultServerFactory();
        HttpConnectorFactory told = new HttpConnectorFactory();
        told.setBindHost("0.0.0.0");
        server.setAdminConnectors(Stream.concat(server.getAdminConnectors().stream(), Stream.of(told))
                .toList());
        AllocatorApplication.listenOnLoopback(server);

        assertEquals(
                List.of("127.0.0.1", "0.0.0.0"),
                server.getAdminConnectors().stream()
                        .map(connector -> ((HttpConnectorFactory) connector).getBindHost())
                        .toList());
    }

    /** As somebody starts the service who has configured nothing. */
    @Test
    @ProofOnly("a server of its own")
    void shouldMakeATokenForWhoShowsIt(@TempDir Path data) throws IOException {
        try (RunningService own = RunningService.start(
                AllocatorApplication.class, "zookeeper.embedded.dataDir=" + data, "admin.token=")) {
            Http stranger = own.strangersAdmin();
            Http operator = stranger.showing(
                    Files.readString(data.resolve("admin-token")).strip());

            assertAll(
                    () -> assertEquals(
                            401, stranger.send("POST", "/tasks/resume", "*/*").statusCode()),
                    () -> assertEquals(
                            200, operator.send("POST", "/tasks/resume", "*/*").statusCode()));
        }
    }
}
