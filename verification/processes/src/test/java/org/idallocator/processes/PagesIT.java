package org.idallocator.processes;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.zk.testing.ChildProcess;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Alertmanager with the file of config/prometheus, whose two receivers are this test: whom it tells of alerts as they
 * come with an outage, and with less than one. It tells the pager first, so that all which the pager is ever told is
 * there when the morning is told.
 */
@ProofOnly("Alertmanager, and some seconds of a process of its own")
final class PagesIT {
    private static final Path CONFIG =
            Path.of("..", "..", "config", "prometheus").toAbsolutePath().normalize();
    private static final Pattern RULE = Pattern.compile("(?s)- alert: (\\w+)\\n.*?severity: (\\w+)");
    private static final List<String> REPLICAS = List.of("a", "b", "c");
    private static final List<String> SCHEMES = List.of("sno", "muid", "eightbyte", "uid60");
    private static final ObjectMapper JSON = new ObjectMapper();

    @SuppressWarnings("NullAway.Init")
    private static Path program;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int port = Ports.free(1).get(0);
    private final Queue<JsonNode> pages = new ConcurrentLinkedQueue<>();
    private final Queue<JsonNode> mornings = new ConcurrentLinkedQueue<>();
    private final Map<String, String> severities = new TreeMap<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @SuppressWarnings("NullAway.Init")
    private HttpServer people;

    @SuppressWarnings("NullAway.Init")
    private ChildProcess alertmanager;

    @BeforeAll
    static void find() {
        Optional<Path> found = Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                .flatMap(each ->
                        Stream.of("alertmanager", "prometheus-alertmanager").map(name -> Path.of(each, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(
                found.isPresent(), "Alertmanager is not installed (Debian: apt-get install prometheus-alertmanager)");
        program = found.orElseThrow();
    }

    @BeforeEach
    void start() throws IOException {
        RULE.matcher(Files.readString(CONFIG.resolve("alerts.yml")))
                .results()
                .forEach(rule -> severities.put(rule.group(1), rule.group(2)));
        people = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        people.createContext("/pager", exchange -> hear(exchange, pages));
        people.createContext("/morning", exchange -> hear(exchange, mornings));
        people.start();
        alertmanager = ChildProcess.start(
                directory.resolve("alertmanager.log"),
                Map.of(),
                List.of(
                        program.toString(),
                        "--config.file=" + configuration(),
                        "--storage.path=" + directory.resolve("data"),
                        "--cluster.listen-address=",
                        "--web.listen-address=127.0.0.1:" + port));
        await("Alertmanager answers")
                .failFast("Alertmanager has ended", () -> !alertmanager.alive())
                .ignoreExceptions() // it does not listen yet
                .until(() -> send(HttpRequest.newBuilder(address("/-/ready"))) == 200);
    }

    @AfterEach
    void stop() {
        alertmanager.close();
        people.stop(0);
    }

    /** The shipped file, with receivers, and with waits as much shorter as a test has less time than a night. */
    private Path configuration() throws IOException {
        String shipped = Files.readString(CONFIG.resolve("alertmanager.yml"));
        String configured =
                shipped.replace("group_wait: 5m", "group_wait: 5s").replace("group_wait: 30s", "group_wait: 1s");
        for (String receiver : List.of("pager", "morning")) {
            String url = "http://127.0.0.1:" + people.getAddress().getPort() + "/" + receiver;
            configured = configured.replace(
                    "  - name: " + receiver + "\n",
                    "  - {name: " + receiver + ", webhook_configs: [{url: '" + url + "'}]}\n");
        }
        return Files.writeString(directory.resolve("alertmanager.yml"), configured);
    }

    private static void hear(HttpExchange exchange, Queue<JsonNode> heard) throws IOException {
        try (exchange) {
            heard.add(JSON.readTree(exchange.getRequestBody()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    private URI address(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private int send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.discarding()).statusCode();
    }

    private Map<String, String> alert(String name) {
        return Map.of("alertname", name, "severity", severities.get(name), "job", "id-allocator");
    }

    private static Map<String, String> with(Map<String, String> alert, String label, String value) {
        Map<String, String> more = new TreeMap<>(alert);
        more.put(label, value);
        return more;
    }

    /** What follows from no outage: the morning is told of it in any case, and of whatever else is not silent. */
    private Map<String, String> busy() {
        return with(with(alert("IdAllocatorBusy"), "instance", "a"), "limit", "streams");
    }

    private Stream<Map<String, String>> ofEachReplica(String name) {
        return REPLICAS.stream().map(replica -> with(alert(name), "instance", replica));
    }

    private static Stream<Map<String, String>> ofEachScheme(Stream<Map<String, String>> alerts) {
        return alerts.flatMap(alert -> SCHEMES.stream().map(scheme -> with(alert, "scheme", scheme)));
    }

    /** All of these reach Alertmanager at once. */
    private void fire(List<Stream<Map<String, String>>> alerts) throws IOException, InterruptedException {
        List<Map<String, Map<String, String>>> fired = alerts.stream()
                .flatMap(Function.identity())
                .map(labels -> Map.of("labels", labels))
                .toList();
        assertEquals(
                200,
                send(HttpRequest.newBuilder(address("/api/v2/alerts"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(JSON.writeValueAsString(fired)))));
    }

    /** How many alerts of each name a message tells. */
    private static Map<String, Long> told(JsonNode message) {
        return StreamSupport.stream(message.path("alerts").spliterator(), false)
                .collect(Collectors.groupingBy(
                        alert -> alert.at("/labels/alertname").asText(), TreeMap::new, Collectors.counting()));
    }

    private void assertTold(List<Map<String, Long>> pager, Map<String, Long> morning) {
        await("the morning is told").until(() -> !mornings.isEmpty());
        assertEquals(List.of(morning), mornings.stream().map(PagesIT::told).toList());
        assertEquals(pager, pages.stream().map(PagesIT::told).toList());
    }

    /** What follows from the outage comes first, as it does when ZooKeeper goes away. */
    @Test
    void shouldPageOnceWhenNobodyServesAndLeaveOutWhatFollowsFromThat() throws Exception {
        fire(List.of(
                ofEachScheme(ofEachReplica("IdAllocatorReservationLeadShrinking")),
                ofEachReplica("IdAllocatorRenewalsFailing"),
                Stream.of(busy())));
        fire(List.of(
                ofEachScheme(ofEachReplica("IdAllocatorSchemeFenced")
                        .map(alert -> with(alert, "reason", "deadline-passed"))),
                ofEachReplica("IdAllocatorNotReady"),
                ofEachScheme(Stream.of(alert("IdAllocatorNobodyServes")))));

        assertTold(List.of(Map.of("IdAllocatorNobodyServes", (long) SCHEMES.size())), Map.of("IdAllocatorBusy", 1L));
    }

    /** Whoever works on the first page would not look at a longer list in it. */
    @Test
    void shouldPageAgainWhenSomethingElseIsCriticalAndLeaveOutNothingOfOtherSchemes() throws Exception {
        fire(List.of(
                Stream.of(with(alert("IdAllocatorClockOff"), "instance", "a")),
                Stream.of(with(alert("IdAllocatorNobodyServes"), "scheme", "uid60")),
                Stream.of(with(alert("IdAllocatorReplicaDown"), "instance", "c")),
                Stream.of("sno", "uid60")
                        .map(scheme ->
                                with(with(alert("IdAllocatorSchemeFenced"), "instance", "b"), "scheme", scheme))));

        await("the morning is told").until(() -> !mornings.isEmpty());
        assertEquals(
                List.of(Map.of("IdAllocatorSchemeFenced", 1L, "IdAllocatorReplicaDown", 1L)),
                mornings.stream().map(PagesIT::told).toList());
        assertEquals(
                Set.of(Map.of("IdAllocatorClockOff", 1L), Map.of("IdAllocatorNobodyServes", 1L)),
                pages.stream().map(PagesIT::told).collect(Collectors.toSet()));
    }

    @Test
    void shouldPageOnceWhenNobodyIsUp() throws Exception {
        fire(List.of(ofEachReplica("IdAllocatorReplicaDown"), Stream.of(alert("IdAllocatorNobodyUp"), busy())));

        assertTold(List.of(Map.of("IdAllocatorNobodyUp", 1L)), Map.of("IdAllocatorBusy", 1L));
    }

    @Test
    void shouldWakeNobodyWhenTheOtherReplicasServe() throws Exception {
        fire(List.of(
                Stream.of(
                        with(with(alert("IdAllocatorSchemeFenced"), "instance", "a"), "scheme", "sno"),
                        with(alert("IdAllocatorReplicaDown"), "instance", "c"),
                        with(alert("IdAllocatorNotReady"), "instance", "b")),
                Stream.of("NotReady", "RenewalsFailing", "RenewalsRetried", "ReservationLeadShrinking", "TenuresLost")
                        .map(name -> with(alert("IdAllocator" + name), "instance", "a"))));

        assertTold(
                List.of(),
                Map.of("IdAllocatorSchemeFenced", 1L, "IdAllocatorReplicaDown", 1L, "IdAllocatorNotReady", 1L));
    }
}
