package com.example.quarkus;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.quarkus.bootstrap.app.CuratedApplication;
import io.quarkus.bootstrap.app.QuarkusBootstrap;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.LocalServer;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.Probe;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The program runs in a process of its own, from the jar that Quarkus makes of it. This test has Quarkus make the jar,
 * because Quarkus' plugin needs a newer Maven than this project does.
 */
class IdsTest {
    private static final String ID = "9q7qmwq2222dhi22";

    @TempDir
    private static Path directory;

    private static Path jar;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void build() throws Exception {
        Path module = Path.of("").toAbsolutePath();
        QuarkusBootstrap bootstrap = QuarkusBootstrap.builder()
                .setProjectRoot(module)
                .setApplicationRoot(module.resolve("target").resolve("classes"))
                .setTargetDirectory(directory)
                .setMode(QuarkusBootstrap.Mode.PROD)
                .setLocalProjectDiscovery(true) // finds this project's other modules, which no repository has
                .setIsolateDeployment(true) // from the libraries of this test
                .build();
        try (CuratedApplication program = bootstrap.bootstrap()) {
            jar = program.createAugmentor()
                    .createProductionApplication()
                    .getJar()
                    .getPath();
        }
    }

    /** The program in its process, at a port of its own. */
    private record Shop(ChildProcess process, int port) implements AutoCloseable {
        static Shop start(String zookeeper) {
            int port = Ports.free(1).get(0);
            List<String> arguments = List.of(
                    "-Dids.zookeeper=" + zookeeper,
                    "-Dshop.first-order=" + ID,
                    "-Dquarkus.http.host=127.0.0.1",
                    "-Dquarkus.http.port=" + port,
                    "-jar",
                    jar.toString());
            return new Shop(ChildProcess.java(directory.resolve(port + ".log"), Map.of(), arguments), port);
        }

        URI uri(String path) {
            return URI.create("http://127.0.0.1:" + port + path);
        }

        /** The status of a request that draws nothing; 0 without an answer. */
        int status(String path) {
            return Probe.get(uri(path)).map(HttpResponse::statusCode).orElse(0);
        }

        Shop awaitUp() {
            await("the shop answers").failFast(this::requireAlive).until(() -> status("/orders/" + ID) == 200);
            return this;
        }

        private void requireAlive() {
            if (!process.alive()) {
                throw new AssertionError("the shop has ended:\n" + process.tail());
            }
        }

        @Override
        public void close() {
            process.close();
        }
    }

    private String get(Shop shop, String path) throws Exception {
        return send(HttpRequest.newBuilder(shop.uri(path))).body();
    }

    private HttpResponse<String> draw(Shop shop) throws Exception {
        return send(HttpRequest.newBuilder(shop.uri("/orders")).POST(BodyPublishers.noBody()));
    }

    private HttpResponse<String> postJson(Shop shop, String json) throws Exception {
        return send(HttpRequest.newBuilder(shop.uri("/more/json"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.timeout(HangGuard.TIME).build(), BodyHandlers.ofString());
    }

    private static AllocatorSettings settings(LocalServer zookeeper) {
        return AllocatorSettings.of(Schemes.of("sno"), ZooKeeperSettings.of(zookeeper.connect()));
    }

    private static long held(ClusterView cluster) {
        return cluster.pools().get(0).counts().held();
    }

    private static void assertIsId(String text) {
        assertTrue(Sno.tryParse(text).isPresent(), text);
    }

    @Test
    void shouldDrawFromAnAllocatorThatItConnectsAndCloses() throws Exception {
        try (LocalServer zookeeper = LocalServer.start()) {
            FirstStart.withoutWaiting(settings(zookeeper));
            try (ClusterView cluster = ClusterView.connect(settings(zookeeper));
                    Shop shop = Shop.start(zookeeper.connect())) {
                await("a slot, before anybody asks for an ID")
                        .failFast(shop::requireAlive)
                        .until(() -> held(cluster) == 1);
                shop.awaitUp();
                await("the shop draws").until(() -> draw(shop).statusCode() == 200);
                assertIsId(draw(shop).body().replace("order ", ""));

                shop.process().terminate();
                shop.process().awaitEnd(HangGuard.TIME.toSeconds());
                assertEquals(0, held(cluster)); // a slot that is not given back is held until its session ends
            }
        }
    }

    @Test
    void shouldReadAndWriteIds() throws Exception {
        try (Shop shop = Shop.start(nowhere()).awaitUp()) {
            assertEquals("order " + ID, get(shop, "/orders/" + ID));
            assertEquals("orders after " + ID, get(shop, "/more?after=" + ID));
            assertEquals(ID, get(shop, "/more/configured"));
            assertEquals(
                    "{\"id\":\"" + ID + "\",\"what\":\"tea again\"}",
                    postJson(shop, "{\"id\":\"" + ID + "\",\"what\":\"tea\"}").body());

            assertEquals(404, shop.status("/orders/bad"));
            assertEquals(404, shop.status("/more?after=bad"));
            assertEquals(400, postJson(shop, "{\"id\":\"bad\"}").statusCode());
        }
    }

    @Test
    void shouldSayWhyAndWhenToAskAgainWhenZooKeeperIsAway() throws Exception {
        try (Shop shop = Shop.start(nowhere()).awaitUp()) {
            HttpResponse<String> refused = draw(shop);

            assertEquals(503, refused.statusCode(), refused::body);
            assertEquals("2", refused.headers().firstValue("Retry-After").orElse(""));
            assertTrue(refused.body().contains("ZooKeeper"), refused::body);
        }
    }

    /** An address where no ZooKeeper is. */
    private static String nowhere() {
        return "127.0.0.1:" + Ports.free(1).get(0);
    }
}
