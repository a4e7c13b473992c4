package org.idallocator.library;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.id.Sno;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.ZooKeeperProcesses;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole Spring Boot program in {@code spring-shop/} has a build of its own, with a test that needs no ZooKeeper.
 * Then it runs on a real one.
 */
@ProofOnly("a build of its own, outside of this one")
class SpringShopIT {
    private static final Path DOCS = Path.of("..", "..", "docs");
    private static final Path ALERTS = Path.of("..", "..", "config", "prometheus", "alerts.yml");
    private static final String SECTION = "In a Spring Boot program";
    private static final int TERMINATED = 128 + 15;
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    private static Path directory;

    private static LocalRepository repository;
    private static ZooKeeperProcesses zookeeper;
    private static Stranger shop;

    @BeforeAll
    static void build() throws IOException {
        repository = LocalRepository.in(directory.resolve("repository"));
        zookeeper = ZooKeeperProcesses.alone();
        FirstStart.withoutWaiting(
                AllocatorSettings.of(Schemes.of("sno"), ZooKeeperSettings.of(zookeeper.connectString())));
        shop = Stranger.copyOf("spring-shop", directory.resolve("spring-shop"));
        shop.buildAndTest(repository);
    }

    @AfterAll
    static void stop() throws IOException {
        zookeeper.close();
        repository.deleteLinks();
    }

    /** Starts the shop; {@code more} are properties beside those of its file. */
    private static ChildProcess start(Path output, int port, String connect, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--server.port=" + port, "--idallocator.zookeeper.connect=" + connect));
        arguments.addAll(List.of(more));
        return shop.start("Shop", output, arguments);
    }

    private static HttpResponse<String> send(String method, int port, String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The status of the readiness that load balancers ask for; empty before the shop listens. */
    private static Optional<Integer> readiness(int port) {
        try {
            return Optional.of(send("GET", port, "/actuator/health/readiness").statusCode());
        } catch (ConnectException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode json(String method, int port, String path) throws IOException {
        HttpResponse<String> answer = send(method, port, path);
        assertEquals(200, answer.statusCode(), answer::body);
        return JSON.readTree(answer.body());
    }

    private static Sno order(int port, String what) throws IOException {
        return Sno.parse(json("POST", port, "/orders?what=" + what).get("id").asText());
    }

    @Test
    void shouldPassItsOwnTestWithoutZooKeeper() throws IOException {
        assertTrue(report("ShopTest").contains("shouldNumberOrders"));
        assertTrue(report("OrdersControllerTest").contains("shouldGiveTheNumberThatIsDrawn"));
    }

    private static String report(String test) throws IOException {
        return Files.readString(shop.home().resolve("target/surefire-reports/TEST-com.example." + test + ".xml"));
    }

    @Test
    void shouldNumberOrdersOnARealZooKeeperAndStopInOrder() throws IOException {
        Path output = shop.home().resolve("shop.log");
        int port = Ports.free(1).get(0);
        try (ChildProcess running = start(output, port, zookeeper.connectString())) {
            await().failFast(() -> assertTrue(running.alive(), running::tail))
                    .until(() -> readiness(port).equals(Optional.of(200)));
            Sno tea = order(port, "tea");
            Sno cake = order(port, "cake");
            assertNotEquals(tea, cake);
            assertEquals("tea", json("GET", port, "/orders/" + tea).get("what").asText());
            assertEquals( // in any order: two slots may have drawn them in one tick
                    Set.of("tea", "cake"),
                    Set.copyOf(json(
                                    "GET",
                                    port,
                                    "/orders?from=" + tea.time() + "&to="
                                            + cake.time().plusSeconds(1))
                            .findValuesAsText("what")));
            assertNotEquals(tea, Sno.parse(json("POST", port, "/numbers").asText()));
            assertEquals(400, send("GET", port, "/orders/nonsense").statusCode());
            assertEquals(
                    "serves",
                    json("GET", port, "/actuator/health")
                            .at("/components/idAllocator/details/sno")
                            .asText());
            assertMeters(send("GET", port, "/actuator/prometheus").body());

            running.terminate();
            assertEquals(TERMINATED, running.awaitEnd(HangGuard.TIME.toSeconds()), running::tail);
        }
        String log = Files.readString(output);
        assertInOrder(log, "Graceful shutdown complete", "lease released", "HikariPool-1 - Shutdown initiated");
        assertFalse(log.contains(" ERROR "), log);
    }

    /** Those that the service has, by the same names. */
    private static void assertMeters(String scraped) throws IOException {
        Set<String> ours = names("(?m)^(id_allocator_\\w+?)(?:_count|_sum|_max)?[{ ]", scraped);
        Set<String> services = names("`?(id_allocator_\\w+)", Files.readString(DOCS.resolve("operations.md")));

        assertTrue(ours.size() > 10, ours::toString);
        assertEquals(alertsBeyond(ours), toldToBeSilent(), "the alerts that never come");
        ours.removeAll(services);
        assertEquals(Set.of(), ours, "unknown to operations.md");
        assertTrue(scraped.contains("id_allocator_ready 1"), scraped);
        assertTrue(
                scraped.contains("id_allocator_slots{count=\"serving\",scheme=\"sno\"} 2"), "two, as it is configured");
    }

    /** The alerts that look at a meter which is not among these. */
    private static Set<String> alertsBeyond(Set<String> meters) throws IOException {
        String[] rules = Files.readString(ALERTS).split("- alert: ", -1);
        return Stream.of(rules)
                .skip(1)
                .filter(rule -> !meters.containsAll(names("(id_allocator_\\w+)", rule.split("labels:", 2)[0])))
                .map(rule -> rule.lines().findFirst().orElseThrow())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those that the page names in the sentence which says so. */
    private static Set<String> toldToBeSilent() throws IOException {
        String page = Files.readString(DOCS.resolve("library.md"));
        return names("`(IdAllocator\\w+)`", page.split("never come here:", 2)[1].split("\\.\\s", 2)[0]);
    }

    private static Set<String> names(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static void assertInOrder(String log, String... lines) {
        int from = 0;
        for (String line : lines) {
            int at = log.indexOf(line, from);
            assertTrue(at >= 0, () -> line + " is missing, or too early, in\n" + log);
            from = at;
        }
    }

    @Test
    void shouldSayInWordsWhyItDoesNotStartWithoutZooKeeper() throws IOException {
        Path output = shop.home().resolve("failed.log");
        int nobody = Ports.free(1).get(0);
        try (ChildProcess running =
                start(output, Ports.free(1).get(0), "127.0.0.1:" + nobody, "--idallocator.start-timeout=3s")) {
            assertEquals(1, running.awaitEnd(HangGuard.TIME.toSeconds()), running::tail);
        }
        String log = Files.readString(output);
        assertTrue(log.contains("APPLICATION FAILED TO START"), log);
        assertTrue(
                log.contains(
                        "No IDs can be drawn. The state is unreachable: sno did not serve within 3000 ms: ZooKeeper"),
                log);
        assertTrue(log.contains("docs/operations.md#unreachable says what to do."), log);
        assertFalse(log.contains("\tat "), log);
    }

    /** What the guide shows is of the program, and so is how it depends on the libraries. */
    @Test
    void shouldBeWhatTheGuideShows() throws IOException {
        Guide guide = Guide.at(DOCS.resolve("library.md"));
        Path home = Path.of("spring-shop");
        String yaml = withoutMargins(Files.readString(home.resolve("src/main/resources/application.yml")));
        String test = withoutMargins(Files.readString(home.resolve("src/test/java/com/example/ShopTest.java")));

        guide.blocks(SECTION, "java", "").forEach(block -> assertTrue(test.contains(withoutMargins(block)), block));
        guide.blocks(SECTION, "yaml", "zk1:2181,zk2:2181,zk3:2181")
                .forEach(block -> withoutMargins(block)
                        .lines()
                        .forEach(line -> assertTrue(yaml.lines().anyMatch(line::equals), line)));
        assertTrue(guide.text().contains("`verification/library/spring-shop`"), "people are told of it");
        assertTrue(Files.exists(home.resolve("src/main/java/com/example/NoIdsAdvice.java")), "people are told of it");
    }

    private static String withoutMargins(String text) {
        return text.replaceAll("(?m)^\\s+", "");
    }
}
