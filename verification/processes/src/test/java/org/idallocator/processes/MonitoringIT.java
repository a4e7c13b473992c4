package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Ports;
import org.idallocator.zk.testing.ReplicaProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Prometheus with the files of config/prometheus scrapes two replicas, one of which is drained: each panel of the
 * dashboard in config/grafana shows something, each alert watches something that is there, and its link leads to what
 * the operations guide says of it.
 */
@ProofOnly("Prometheus, and half a minute of processes of their own")
final class MonitoringIT {
    private static final Path CONFIG =
            Path.of("..", "..", "config").toAbsolutePath().normalize();
    private static final Pattern SELECTOR = Pattern.compile("(?:\\bup|\\bid_allocator_\\w+)(?:\\{[^}]*\\})?");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port = Ports.free(1).get(0);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path prometheus;

    @BeforeEach
    void find() {
        Optional<Path> found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .map(each -> Path.of(each, "prometheus"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(found.isPresent(), "prometheus is not installed (Debian: apt-get install prometheus)");
        prometheus = found.orElseThrow();
    }

    private ReplicaProcess replica(String name) {
        String settings = """
                zookeeper: {embedded: {enabled: true, dataDir: '%s'}}
                """.formatted(directory.resolve("data"));
        return ReplicaProcess.start(directory, name, settings, Map.of()).awaitReady();
    }

    /** The configuration of the cluster of docker-compose.yml, for these replicas, looked at every second. */
    private ChildProcess watching(ReplicaProcess... replicas) throws IOException {
        String targets = Arrays.stream(replicas)
                .map(replica -> '"' + replica.adminUri("").getAuthority() + '"')
                .collect(Collectors.joining(", "));
        String shipped = Files.readString(CONFIG.resolve("prometheus/prometheus.yml"));
        int found = shipped.indexOf("    dns_sd_configs:"); // the last section
        assertTrue(found > 0, shipped);
        return start(shipped.substring(0, found).replace("10s", "1s").replace("localhost:9090", "127.0.0.1:" + port)
                + "    static_configs: [{targets: [" + targets + "]}]\n");
    }

    private ChildProcess start(String configuration) throws IOException {
        Path file = Files.writeString(
                directory.resolve("prometheus.yml"),
                configuration.replace("- alerts.yml", "- " + CONFIG.resolve("prometheus/alerts.yml")));
        return ChildProcess.start(
                directory.resolve("prometheus.log"),
                Map.of(),
                List.of(
                        prometheus.toString(),
                        "--config.file=" + file,
                        "--storage.tsdb.path=" + directory.resolve("series"),
                        "--web.user-assets=" + CONFIG.resolveSibling("docs"),
                        "--web.listen-address=127.0.0.1:" + port));
    }

    private JsonNode asked(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .build();
        JsonNode answer =
                JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        assertEquals("success", answer.path("status").asText(), path + ": " + answer);
        return answer.path("data");
    }

    /** Whether a query has a value that is a number. */
    private boolean shows(String query) throws IOException, InterruptedException {
        JsonNode found = asked("/api/v1/query?query=" + URLEncoder.encode(query, StandardCharsets.UTF_8));
        return elements(found.path("result")).stream()
                .anyMatch(series -> !series.path("value").path(1).asText().equals("NaN"));
    }

    private static List<JsonNode> elements(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false).toList();
    }

    private void order(ReplicaProcess replica, String task) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(replica.adminUri("/tasks/" + task))
                .POST(BodyPublishers.noBody())
                .header("Authorization", "Bearer " + ReplicaProcess.ADMIN_TOKEN)
                .build();
        HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
        assertEquals(200, answer.statusCode(), answer.body());
    }

    /** The queries of all panels, as Grafana asks them where everything is selected. */
    private static List<String> panels() throws IOException {
        JsonNode dashboard = JSON.readTree(
                CONFIG.resolve("grafana/dashboards/id-allocator.json").toFile());
        return dashboard.path("panels").findValuesAsText("expr").stream()
                .map(query ->
                        query.replaceAll("\\$(job|instance|scheme)\\b", ".*").replace("$__rate_interval", "10s"))
                .toList();
    }

    private List<JsonNode> alerts() throws IOException, InterruptedException {
        return elements(asked("/api/v1/rules").path("groups")).stream()
                .flatMap(group -> elements(group.path("rules")).stream())
                .toList();
    }

    /** All series that an alert looks at. */
    private static List<String> selectors(JsonNode alert) {
        return SELECTOR.matcher(alert.path("query").asText())
                .results()
                .map(MatchResult::group)
                .filter(found -> !found.equals("up"))
                .toList();
    }

    /** To where an alert links, also one that has yet to last. */
    private Optional<URI> link(String alert) throws IOException, InterruptedException {
        return elements(asked("/api/v1/alerts").path("alerts")).stream()
                .filter(each -> each.at("/labels/alertname").asText().equals(alert))
                .map(each -> URI.create(each.at("/annotations/runbook_url").asText()))
                .findFirst();
    }

    private void assertLeadsToItsRow(URI link, String alert) throws IOException, InterruptedException {
        String page = http.send(HttpRequest.newBuilder(link).build(), BodyHandlers.ofString())
                .body();
        String row = "\n| <a id=\"" + link.getFragment() + "\"></a>`" + alert + "` |";
        assertTrue(page.contains(row), link + " leads nowhere");
    }

    @Test
    void shouldShowSomethingOnEachPanelAndWatchSomethingByEachAlert() throws Exception {
        try (ReplicaProcess serving = replica("serving");
                ReplicaProcess drained = replica("drained");
                ChildProcess watching = watching(serving, drained)) {
            await("both are scraped")
                    .failFast("Prometheus has ended", () -> !watching.alive())
                    .ignoreExceptions() // it does not listen yet
                    .until(() -> shows("sum(up{job=\"id-allocator\"}) == 2 and sum(id_allocator_claims_total) > 0"));
            order(drained, "drain");
            order(serving, "rotate?scheme=sno");
            List<String> queries = new ArrayList<>(panels());
            List<JsonNode> alerts = alerts();
            assertFalse(queries.isEmpty() || alerts.isEmpty());
            alerts.forEach(alert -> queries.addAll(selectors(alert)));

            Set<String> missing = new TreeSet<>(queries);
            await().untilAsserted(() -> {
                serving.answer("/ids/eightbyte?count=6400"); // waits for ticks
                drained.status("/ids/sno"); // is refused
                for (String query : List.copyOf(missing)) {
                    if (shows(query)) {
                        missing.remove(query);
                    }
                }
                assertEquals(Set.of(), missing);
            });
            await().until(() -> alerts().stream()
                    .allMatch(alert -> alert.path("health").asText().equals("ok")));
            String ofTheDrained = "IdAllocatorNotReady";
            await().until(() -> link(ofTheDrained).isPresent());
            assertLeadsToItsRow(link(ofTheDrained).orElseThrow(), ofTheDrained);
        }
    }
}
