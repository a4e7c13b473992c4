package org.idallocator.service;

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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.config.AllocatorConfiguration;
import org.idallocator.service.testing.Keys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connectors that {@code config/cluster.yml} has in comments serve by TLS, and let operators in by their certificates. */
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
        String replica = keys.store("replica").toString();
        Path file = Files.writeString(directory.resolve("cluster.yml"), uncommented());
        service = new DropwizardTestSupport<>(
                AllocatorApplication.class,
                file.toString(),
                "tls",
                set("allocator.zookeeper.connect", ""),
                set("allocator.zookeeper.embedded.enabled", "true"),
                set(
                        "allocator.zookeeper.embedded.dataDir",
                        directory.resolve("data").toString()),
                set("server.applicationConnectors[0].port", "0"),
                set("server.applicationConnectors[1].port", "0"),
                set("server.applicationConnectors[1].keyStorePath", replica),
                set("server.applicationConnectors[1].keyStorePassword", Keys.PASSWORD),
                set("server.adminConnectors[0].port", "0"),
                set("server.adminConnectors[1].port", "0"),
                set("server.adminConnectors[1].keyStorePath", replica),
                set("server.adminConnectors[1].keyStorePassword", Keys.PASSWORD),
                set(
                        "server.adminConnectors[1].trustStorePath",
                        keys.store("operator").toString()),
                set("server.adminConnectors[1].trustStorePassword", Keys.PASSWORD));
        service.before();
    }

    @AfterAll
    static void stop() {
        service.after();
    }

    private static ConfigOverride set(String key, String value) {
        return ConfigOverride.config("tls", key, value);
    }

    private static String uncommented() throws IOException {
        String text = Files.readString(CONFIG);
        String serving = text.replaceAll("(?m)^    #(- type: https|  [A-Za-z]+: )", "    $1");
        assertEquals(2, serving.split("- type: https", -1).length - 1);
        return serving.replaceAll("\\$\\{[A-Z_]+:-([^}]*)}", "$1"); // support for tests knows no variables
    }

    /** A client that trusts the replica, and shows the certificate of {@code name} where there is one. */
    private static HttpClient client(Optional<String> name) {
        return keys.client("replica", name);
    }

    private static URI address(String port, String path) {
        Server server = service.getEnvironment().getAdminContext().getServer();
        int local = Arrays.stream(server.getConnectors())
                .filter(connector -> connector.getName().equals(port))
                .filter(connector -> connector.getConnectionFactory("SSL") != null)
                .mapToInt(connector -> ((ServerConnector) connector).getLocalPort())
                .findFirst()
                .orElseThrow();
        return URI.create("https://localhost:" + local + path);
    }

    private static int status(HttpClient client, HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString()).statusCode();
    }

    @Test
    void shouldServeIds() throws Exception {
        HttpClient client = client(Optional.empty());
        HttpRequest.Builder one = HttpRequest.newBuilder(address("application", "/ids/sno"));

        HttpResponse<String> answer =
                await().until(() -> client.send(one.build(), BodyHandlers.ofString()), got -> got.statusCode() == 200);
        assertTrue(answer.body().matches("[2-9a-x]{16}\n"), answer.body());
    }

    @Test
    void shouldLetOperatorsInByTheirCertificatesAlone() throws Exception {
        HttpRequest.Builder resume =
                HttpRequest.newBuilder(address("admin", "/tasks/resume")).POST(BodyPublishers.noBody());

        assertEquals(200, status(client(Optional.of("operator")), resume));
        for (HttpClient stranger : List.of(client(Optional.empty()), client(Optional.of("replica")))) {
            assertThrows(IOException.class, () -> status(stranger, resume));
        }
    }

    /** A browser shows a certificate by itself, whoever's page asks. */
    @Test
    void shouldKeepPagesOfElsewhereOutAllTheSame() throws Exception {
        HttpRequest.Builder resume = HttpRequest.newBuilder(address("admin", "/tasks/resume"))
                .POST(BodyPublishers.noBody())
                .header("Origin", "https://evil.example");

        assertEquals(403, status(client(Optional.of("operator")), resume));
    }
}
