package com.example.springboot35;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.LocalServer;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

class IdsConfigurationTest {
    private static final String ID = "9q7qmwq2222dhi22";

    private final HttpClient client = HttpClient.newHttpClient();

    /** With the page's own application.yml, but for the address. */
    private static ConfigurableApplicationContext start(String zookeeper) {
        return SpringApplication.run(
                Shop.class,
                "--spring.config.location=file:"
                        + Path.of("target", "recipes", "springboot35", "application.yml")
                                .toAbsolutePath(),
                "--ids.zookeeper=" + zookeeper,
                "--server.port=0");
    }

    private static HttpRequest request(ConfigurableApplicationContext shop, String path) {
        String port = shop.getEnvironment().getRequiredProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .timeout(HangGuard.TIME)
                .build();
    }

    private HttpResponse<String> get(ConfigurableApplicationContext shop, String path) {
        try {
            return client.send(request(shop, path), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldDrawUntilTheLastRequestIsAnswered() throws Exception {
        try (LocalServer zookeeper = LocalServer.start()) {
            FirstStart.withoutWaiting(
                    AllocatorSettings.of(Schemes.of("sno"), ZooKeeperSettings.of(zookeeper.connect())));
            CompletableFuture<HttpResponse<String>> late;
            try (ConfigurableApplicationContext shop = start(zookeeper.connect())) {
                await().untilAsserted(() -> assertEquals(
                        200, get(shop, "/actuator/health/readiness").statusCode()));
                assertTrue(Sno.tryParse(get(shop, "/orders/next").body()).isPresent());
                assertEquals("order " + ID, get(shop, "/orders/" + ID).body());
                assertEquals(
                        "orders after " + ID, get(shop, "/orders?after=" + ID).body());
                assertEquals(400, get(shop, "/orders/bad").statusCode());
                assertEquals(400, get(shop, "/orders?after=bad").statusCode());

                late = client.sendAsync(request(shop, "/orders/late"), BodyHandlers.ofString());
                shop.getBean(Shop.class).asked.await();
            }

            HttpResponse<String> drawn = late.get(HangGuard.MINUTES, TimeUnit.MINUTES);
            assertTrue(Sno.tryParse(drawn.body()).isPresent(), drawn::body);
        }
    }

    @Test
    void shouldSayWhyAndWhenToAskAgainWhenZooKeeperIsAway() {
        try (ConfigurableApplicationContext shop =
                start("127.0.0.1:" + Ports.free(1).get(0))) {
            HttpResponse<String> refused = get(shop, "/orders/next");

            assertEquals(503, refused.statusCode(), refused::body);
            assertEquals("2", refused.headers().firstValue("Retry-After").orElse(""));
            assertTrue(refused.body().contains("\"detail\":\""), refused::body);
            assertEquals(503, get(shop, "/actuator/health/readiness").statusCode());
            assertEquals(200, get(shop, "/actuator/health/liveness").statusCode());
        }
    }
}
