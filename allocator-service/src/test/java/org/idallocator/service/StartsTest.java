package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.Keys;
import org.idallocator.service.testing.ConfigFile;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever a file says of the server, the service answers everything that it has. */
@ProofOnly("starts a service for each kind of server")
class StartsTest {
    private static final String ONE_PORT = "type: simple, connector: {type: http, bindHost: 127.0.0.1, port: 0}";
    private static final String ADMIN_PORT = "adminConnectors: [{type: http, port: 0}]";
    private static final String TWO_PORTS = "applicationConnectors: [{type: http, port: 0}], " + ADMIN_PORT;
    private static final String NO_LOG = "requestLog: {appenders: []}";

    private static final String OF_ROUTES =
            "/ids /leases /openapi.json /problems/busy / /console /console/app.js /console/state";
    private static final String OF_ADMIN_PORT =
            "/ /console /console/app.js /leases /leases/sno /fleet /prometheus /metrics /healthcheck /ping /threads";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    /** The service with this in its file's {@code server}. */
    private RunningService started(String... server) throws IOException {
        Path file = ConfigFile.in(directory, "service.yml", "admin: {token: " + RunningService.TOKEN + "},");
        Files.writeString(file, """

                        server: {%s}
                        logging: {level: WARN, appenders: [{type: console, target: stderr}]}
                        """.formatted(String.join(", ", server)), StandardOpenOption.APPEND);
        return RunningService.start(AllocatorApplication.class, file);
    }

    @Test
    void shouldAnswerEverythingOnOnePort() throws IOException {
        try (RunningService service = started(ONE_PORT, NO_LOG)) {
            Http application = service.app().below("/application");

            assertServes(application, application, service.app().below("/admin"));
        }
    }

    @Test
    void shouldAnswerEverythingBelowARootPath() throws IOException {
        try (RunningService service = started(TWO_PORTS, NO_LOG, "rootPath: /api/")) {
            assertServes(service.app().below("/api"), service.app(), service.strangersAdmin());
            for (String path : List.of("/ids", "/ids/sno", "/leases", "/console", "/")) {
                assertEquals(404, service.app().status(path), path);
            }
            for (String path : List.of("/api/", "/api/console", "/api/console/app.js", "/api/openapi.json")) {
                assertEquals(headers("GET", path, service), headers("HEAD", path, service), path);
            }
        }
    }

    /** What an answer says of its body, to a client that can decompress. */
    private static List<String> headers(String method, String path, RunningService service) {
        HttpResponse<String> answer = service.app()
                .send(service.app()
                        .request(path)
                        .method(method, BodyPublishers.noBody())
                        .header("Accept-Encoding", "gzip"));
        return Stream.of("Content-Type", "Content-Encoding", "Content-Length", "Transfer-Encoding")
                .map(name -> Http.header(answer, name))
                .toList();
    }

    @Test
    void shouldAnswerEverythingByTls() throws Exception {
        Keys keys = new Keys(directory).make("replica", "CN=localhost");
        String connector = "applicationConnectors: [{type: https, port: 0, keyStorePath: '%s', keyStorePassword: '%s'}]"
                .formatted(keys.store("replica"), Keys.PASSWORD);
        try (RunningService service = started(connector, ADMIN_PORT, NO_LOG)) {
            Http application = Http.overTls(service.app().port(), keys.client("replica", Optional.empty()));

            assertServes(application, application, service.strangersAdmin());
        }
    }

    @Test
    void shouldAnswerEverythingAndLogEachRequest() throws IOException {
        Path log = directory.resolve("requests.log");
        String appender = "requestLog: {appenders: [{type: file, archive: false, currentLogFilename: '%s'}]}";
        try (RunningService service = started(TWO_PORTS, appender.formatted(log))) {
            assertServes(service.app(), service.app(), service.strangersAdmin());
            for (String request : List.of("GET /ids/sno HTTP/1.1\" 200", "GET /ids/sno?count=20 HTTP/1.1\" 200")) {
                await(request).until(() -> Files.readString(log).contains(request));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, gzip", "false,"})
    void shouldAnswerEverythingWithCompressionAndWithout(String enabled, @Nullable String encoding) throws IOException {
        try (RunningService service = started(TWO_PORTS, NO_LOG, "gzip: {enabled: " + enabled + "}")) {
            assertServes(service.app(), service.app(), service.strangersAdmin());
            assertEquals(Optional.ofNullable(encoding), encoding(service.app()));
        }
    }

    /** How an answer of 20 kilobytes is encoded for a client that can decompress. */
    private static Optional<String> encoding(Http port) {
        return port.send(port.request("/ids/sno?count=1200").header("Accept-Encoding", "gzip"))
                .headers()
                .firstValue("Content-Encoding");
    }

    /**
     * Each is asked as clients without special needs do.
     *
     * @param routes what all routes are below
     * @param health what the health check is below
     * @param admin what the pages of the admin port are below
     */
    private static void assertServes(Http routes, Http health, Http admin) {
        await().until(() -> health.get("/health-check").statusCode() == 200);
        Schemes.all().forEach(scheme -> assertServes(routes, scheme));
        assertServes(routes, OF_ROUTES);
        assertEquals(20_000, routes.get("/ids/sno?count=20000").body().lines().count());
        assertServes(admin, OF_ADMIN_PORT);
        assertTrue(admin.get("/prometheus").body().contains("id_allocator_fenced{"));
        assertEquals(401, admin.send("POST", "/tasks/resume", "*/*").statusCode());
        assertEquals(
                200,
                admin.showing(RunningService.TOKEN)
                        .send("POST", "/tasks/resume", "*/*")
                        .statusCode());
    }

    private static void assertServes(Http port, String paths) {
        for (String path : paths.split(" ", -1)) {
            assertEquals(200, port.get(path).statusCode(), path);
        }
    }

    private static void assertServes(Http routes, Scheme<?> scheme) {
        String path = "/ids/" + scheme.name();
        String text = routes.get(path).body();
        JsonNode json = routes.json(path);
        JsonNode said = routes.json(path + "/" + text.strip());

        assertTrue(text.matches(scheme.type().textPattern() + "\n"), text);
        assertTrue(json.path("id").asText().matches(scheme.type().textPattern()), json.toString());
        assertEquals(
                20, routes.get(path + "?count=20").body().lines().distinct().count());
        assertEquals(20, routes.json(path + "?count=20").path("ids").size());
        assertEquals(200, routes.send("POST", path, "*/*").statusCode());
        assertEquals(text.strip(), said.path("id").asText());
    }
}
