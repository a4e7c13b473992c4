package org.idallocator.service.http;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.testing.Keys;
import org.idallocator.service.AllocatorApplication;
import org.idallocator.service.AllocatorConfiguration;
import org.idallocator.service.testing.ActLines;
import org.idallocator.service.testing.StrictServerCommand;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The connectors that {@code config/cluster.yml} has in comments serve by TLS, and let operators in by their
 * certificates.
 */
@ProofOnly("servers of its own, with certificates")
class TlsTest {
    private static final Path CONFIG = Path.of("..", "config", "cluster.yml");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static Keys keys;

    @SuppressWarnings("NullAway.Init")
    private static DropwizardTestSupport<AllocatorConfiguration> service;

    @BeforeAll
    static void start() throws Exception {
        keys = new Keys(directory).make("replica", "CN=localhost").make("operator", "CN=operator");
        Path file = Files.writeString(directory.resolve("cluster.yml"), uncommented());
        String settings = """
                allocator.zookeeper.connect=
                allocator.zookeeper.embedded.enabled=true
                allocator.zookeeper.embedded.dataDir=%1$s/data
                server.applicationConnectors[0].port=0
                server.applicationConnectors[1].port=0
                server.applicationConnectors[1].keyStorePath=%1$s/replica.p12
                server.applicationConnectors[1].keyStorePassword=%2$s
                server.adminConnectors[0].port=0
                server.adminConnectors[1].port=0
                server.adminConnectors[1].keyStorePath=%1$s/replica.p12
                server.adminConnectors[1].keyStorePassword=%2$s
                server.adminConnectors[1].trustStorePath=%1$s/operator.p12
                server.adminConnectors[1].trustStorePassword=%2$s
                """.formatted(directory, Keys.PASSWORD);
        ConfigOverride[] overrides = settings.lines()
                .map(line -> line.split("=", 2))
                .map(setting -> ConfigOverride.config("tls", setting[0], setting[1]))
                .toArray(ConfigOverride[]::new);
        service = new DropwizardTestSupport<>(
                AllocatorApplication.class,
                file.toString(),
                "tls",
                application -> new StrictServerCommand(application, "tls"),
                overrides);
        service.before();
    }

    @AfterAll
    static void stop() {
        service.after();
    }

    private static String uncommented() throws IOException {
        String text = Files.readString(CONFIG);
        String serving = text.replaceAll("(?m)^    #(- type: https|  [A-Za-z]+: )", "    $1");
        assertEquals(2, serving.split("- type: https", -1).length - 1);
        return serving.replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1"); // support for tests knows no variables
    }

    /** A client that trusts the replica, and shows the certificate of {@code name} where there is one. */
    private static HttpClient client(@Nullable String name) {
        return keys.client("replica", Optional.ofNullable(name));
    }

    private static URI address(String port, String path) {
        return Stream.of(service.getEnvironment().getAdminContext().getServer().getConnectors())
                .filter(connector -> connector.getName().equals(port))
                .filter(connector -> connector.getConnectionFactory("SSL") != null)
                .map(connector ->
                        URI.create("https://localhost:" + ((ServerConnector) connector).getLocalPort() + path))
                .findFirst()
                .orElseThrow();
    }

    private static int resumed(HttpClient client, String... origins) throws IOException, InterruptedException {
        HttpRequest.Builder resume =
                HttpRequest.newBuilder(address("admin", "/tasks/resume")).POST(BodyPublishers.noBody());
        for (String origin : origins) {
            resume.header("Origin", origin);
        }
        return client.send(resume.build(), BodyHandlers.ofString()).statusCode();
    }

    /** As other connections are: {@code ConnectionsTest} has the rest. */
    @Test
    void shouldBoundConnectionsBehindTls() throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(address("application", "/ids/sno"));
        for (int i = 0; i < Limits.FIELDS; i++) {
            request.header("a" + i, "b");
        }
        assertEquals(
                431, client(null).send(request.build(), BodyHandlers.ofString()).statusCode());
    }

    @Test
    void shouldServeIds() throws Exception {
        HttpClient client = client(null);
        HttpRequest one =
                HttpRequest.newBuilder(address("application", "/ids/sno")).build();

        HttpResponse<String> answer =
                await().until(() -> client.send(one, BodyHandlers.ofString()), got -> got.statusCode() == 200);
        assertTrue(answer.body().matches("[2-9a-x]{16}\n"), answer.body());
    }

    /** A browser shows a certificate by itself, whoever's page asks. */
    @Test
    void shouldLetOperatorsInByTheirCertificatesAloneAndNoPagesOfElsewhere() throws Exception {
        assertEquals(200, resumed(client("operator")));
        assertEquals(403, resumed(client("operator"), "https://evil.example"));
        assertThrows(IOException.class, () -> resumed(client(null)));
        assertThrows(IOException.class, () -> resumed(client("replica")));
    }

    @Test
    void shouldTellTheLogWhichOperatorActs() throws Exception {
        try (ActLines log = new ActLines()) {
            assertEquals(200, resumed(client("operator")));

            await().untilAsserted(() -> assertEquals(
                    List.of("act passed status=200 address=127.0.0.1 method=POST path=/tasks/resume"
                            + " certificate=\"CN=operator\""),
                    log.lines()));
        }
    }
}
