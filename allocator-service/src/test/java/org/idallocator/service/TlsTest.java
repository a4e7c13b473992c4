package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.dropwizard.testing.ConfigOverride;
import io.dropwizard.testing.DropwizardTestSupport;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.config.AllocatorConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The connectors that {@code config/cluster.yml} has in comments serve by TLS, and let operators in by their certificates. */
@ProofOnly("servers of its own, with certificates")
class TlsTest {
    private static final Path CONFIG = Path.of("..", "config", "cluster.yml");
    private static final String PASSWORD = "a-password-of-tests";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    @SuppressWarnings("NullAway.Init")
    private static DropwizardTestSupport<AllocatorConfiguration> service;

    @BeforeAll
    static void start() throws Exception {
        keyPair("replica", "CN=localhost");
        keyPair("operator", "CN=operator");
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
                set(
                        "server.applicationConnectors[1].keyStorePath",
                        store("replica").toString()),
                set("server.applicationConnectors[1].keyStorePassword", PASSWORD),
                set("server.adminConnectors[0].port", "0"),
                set("server.adminConnectors[1].port", "0"),
                set("server.adminConnectors[1].keyStorePath", store("replica").toString()),
                set("server.adminConnectors[1].keyStorePassword", PASSWORD),
                set(
                        "server.adminConnectors[1].trustStorePath",
                        store("operator").toString()),
                set("server.adminConnectors[1].trustStorePassword", PASSWORD));
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

    private static Path store(String name) {
        return directory.resolve(name + ".p12");
    }

    private static void keyPair(String name, String subject) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String options =
                "-genkeypair -keyalg EC -ext san=dns:localhost -storetype PKCS12 -storepass:env STORE_PASSWORD";
        List<String> command = new ArrayList<>(List.of(keytool));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "-alias", name, "-dname", subject, "-keystore", store(name).toString()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile());
        builder.environment().put("STORE_PASSWORD", PASSWORD);
        assertEquals(0, builder.start().waitFor(), () -> name + " has no keys");
    }

    private static KeyStore read(String name) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store(name))) {
            keys.load(in, PASSWORD.toCharArray());
        }
        return keys;
    }

    /** A client that trusts the replica, and shows the certificate of {@code name} where there is one. */
    private static HttpClient client(Optional<String> name) throws IOException, GeneralSecurityException {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(read("replica"));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        if (name.isPresent()) {
            own.init(read(name.get()), PASSWORD.toCharArray());
        } else {
            own.init(null, null);
        }
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return HttpClient.newBuilder().sslContext(tls).build();
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
