package org.idallocator.service.operation;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code /prometheus} serves: that it is right, and that all which people are told of it is there. */
@ExtendWith(SharedService.class)
class MetricsTest {
    private static final Path ROOT = Path.of("..");
    private static final String REQUESTS = "id_allocator_http_requests_total{method=\"%s\",route=\"%s\",status=\"%s\"}";
    private static final Pattern SAMPLE = Pattern.compile("(?m)^(id_allocator_[a-z_]+)(?:\\{([^\\n]*)})? ");
    private static final Pattern METRIC = Pattern.compile("`(id_allocator_[a-z_]+)(?:\\{([a-z,]+)})?`");

    private final RunningService service;

    MetricsTest(RunningService service) {
        this.service = service;
    }

    /** What is read in the background is there from the second look on; a renewal is confirmed every few seconds. */
    @BeforeEach
    void awaitAll() {
        String drawn = REQUESTS.formatted("GET", "/ids/{scheme}", "200");
        double before = value(drawn);
        service.app().get("/ids/sno");
        await().until(() -> value("id_allocator_pool_slots{scheme=\"sno\",state=\"held\"}") > 0
                && value("id_allocator_renewals_total{outcome=\"ok\",scheme=\"sno\"}") > 0
                && value(drawn) > before);
    }

    private String scraped() {
        return service.admin().get("/prometheus").body();
    }

    /** 0 where there is no such sample. */
    private double value(String sample) {
        return scraped()
                .lines()
                .filter(line -> line.startsWith(sample + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** The first group of each match. */
    private static Set<String> found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.MULTILINE)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }

    // --- What is served, by which dashboards and alerts of others may know it.

    @Test
    void shouldServeTheseMetricsWithTheirTypesAndLabels() {
        String served = served().entrySet().stream()
                .map(metric ->
                        metric.getKey() + " " + type(metric.getKey()) + " " + String.join(",", metric.getValue()))
                .map(line -> line.replace("id_allocator_", "").strip() + "\n")
                .collect(Collectors.joining());

        assertEquals("""
                build_info gauge version
                busy_total counter limit
                claims_total counter scheme
                clock_offset_seconds gauge
                deadline_seconds gauge scheme,slot
                draws_refused_total counter reason,scheme
                fenced gauge reason,scheme
                fences_total counter reason,scheme
                http_request_duration_seconds histogram route
                http_requests_total counter method,route,status
                ids_issued_total counter scheme
                max_clock_skew_seconds gauge
                places gauge limit
                places_given_back_total counter limit
                places_taken gauge limit
                pool_age_seconds gauge
                pool_slots gauge scheme,state
                ready gauge
                renewal_seconds summary scheme
                renewals_total counter outcome,scheme
                reservation_lead_seconds gauge scheme,slot
                reserved_through_seconds gauge scheme,slot
                slots gauge count,scheme
                tenures_total counter scheme
                wait_seconds_total counter scheme
                waits_total counter scheme
                window_seconds gauge scheme
                zookeeper_unreachable gauge
                """, served);
    }

    private String type(String metric) {
        return String.join(",", found("^# TYPE " + metric + " (\\w+)$", scraped()));
    }

    @Test
    void shouldTellDropwizardOfTheseForReporters() {
        String counts =
                "claims draws-refused fences ids-issued renewals renewals-failed renewals-retried tenures wait-seconds waits";

        assertEquals("sno." + counts.replace(" ", " sno."), namesThat(name -> name.startsWith("sno.")));
        assertEquals(
                """
                busy.bodies busy.connections busy.requests busy.streams
                clock-offset-seconds
                places-taken.bodies places-taken.requests places-taken.streams
                places.bodies places.requests places.streams
                ready
                """.strip().replace('\n', ' '),
                namesThat(name -> !name.matches("(sno|muid|eightbyte|uid60|gid)[.].*")));
    }

    private String namesThat(Predicate<String> are) {
        return gauges().keySet().stream()
                .map(name -> name.replaceFirst("id-allocator.", ""))
                .filter(are)
                .collect(Collectors.joining(" "));
    }

    private Map<String, Object> gauges() {
        Map<String, Object> gauges = new TreeMap<>();
        service.support()
                .getEnvironment()
                .metrics()
                .getGauges((name, gauge) -> name.startsWith("id-allocator."))
                .forEach((name, gauge) -> gauges.put(name, gauge.getValue()));
        return gauges;
    }

    // --- What people are told.

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config/prometheus/alerts.yml",
                "config/prometheus/alerts.test.yml",
                "config/grafana/dashboards/id-allocator.json",
                "docs/operations.md"
            })
    void shouldServeEveryMetricThatIsNamed(String file) throws IOException {
        Set<String> named = found("(id_allocator_[a-z_]+)", read(file));

        assertFalse(named.isEmpty());
        named.removeAll(found("^(id_allocator_[a-z_]+)[{ ]", scraped()));
        named.removeAll(found("^# TYPE (id_allocator_[a-z_]+) ", scraped()));
        assertEquals(Set.of(), named);
    }

    @Test
    void shouldNameEveryMetricAndItsLabelsInTheOperationsGuide() throws IOException {
        Map<String, Set<String>> described = new TreeMap<>();
        METRIC.matcher(read("docs/operations.md"))
                .results()
                .forEach(metric -> described
                        .computeIfAbsent(metric.group(1), name -> new TreeSet<>())
                        .addAll(found("([a-z]+)", Objects.requireNonNullElse(metric.group(2), ""))));

        assertEquals(described, served());
    }

    /** The metrics, each with the labels of its samples. */
    private Map<String, Set<String>> served() {
        String scraped = scraped();
        Map<String, Set<String>> served = new TreeMap<>();
        found("^# TYPE (id_allocator_[a-z_]+) ", scraped).forEach(name -> served.put(name, new TreeSet<>()));
        SAMPLE.matcher(scraped).results().forEach(sample -> {
            String name = sample.group(1);
            Set<String> labels =
                    served.get(served.containsKey(name) ? name : name.replaceFirst("_(bucket|sum|count)$", ""));
            assertNotNull(labels, name);
            labels.addAll(found("([a-z]+)=\"", String.valueOf(sample.group(2))));
            labels.remove("le");
        });
        return served;
    }

    // --- Whether it is right.

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            GET    | /ids                         | /ids                | 200
            GET    | /ids/sno?count=7             | /ids/{scheme}       | 200
            GET    | /ids/sno?count=x             | /ids/{scheme}       | 400
            GET    | /ids/nope                    | /ids/{scheme}       | 404
            HEAD   | /ids/sno                     | /ids/{scheme}       | 200
            POST   | /ids/sno                     | /ids/{scheme}       | 200
            GET    | /ids/sno/9q7qmwq2222dhi22    | /ids/{scheme}/{id}  | 200
            GET    | /leases                      | /leases             | 200
            GET    | /nowhere                     | other               | 404
            GET    | /health-check?type=alive     | other               | 200
            BREW   | /ids                         | /ids                | 405
            GET    | /ids/sno/nope/nope           | other               | 404
            """)
    void shouldCountARequestByItsRouteAndStatus(String method, String path, String route, String status) {
        String sample = REQUESTS.formatted(method.equals("BREW") ? "other" : method, route, status);
        String timed = "id_allocator_http_request_duration_seconds_count{route=\"" + route + "\"}";
        double before = value(sample);
        double timedBefore = value(timed);

        assertEquals(
                status, String.valueOf(service.app().send(method, path, "*/*").statusCode()));

        await().until(() -> value(sample) > before && value(timed) > timedBefore);
        assertEquals(before + 1, value(sample));
        assertEquals(timedBefore + 1, value(timed));
        assertFalse(scraped().contains("BREW"), "methods that nobody knows are one");
    }

    @Test
    void shouldCountAnAnswerThatTheClientCutsOffAsAborted() throws IOException {
        String sample = REQUESTS.formatted("GET", "/ids/{scheme}", "aborted");
        double before = value(sample);

        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.app().port())) {
            socket.getOutputStream()
                    .write("GET /ids/sno?count=5000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            assertEquals('H', socket.getInputStream().read());
            socket.setSoLinger(true, 0);
        }

        await().until(() -> value(sample) == before + 1);
    }

    /** A slot of eightbyte has 64 IDs a millisecond. */
    @Test
    void shouldTellOfDrawsThatWait() {
        double waits = eightbyte("waits");
        double seconds = eightbyte("wait_seconds");
        double issued = eightbyte("ids_issued");

        service.app().get("/ids/eightbyte?count=6400");

        assertEquals(issued + 6_400, eightbyte("ids_issued"));
        assertEquals(waits + 1, eightbyte("waits"), "one draw, in a hundred ticks");
        double waited = eightbyte("wait_seconds") - seconds;
        double most = Proof.size(HangGuard.TIME, Duration.ofSeconds(10)).toSeconds();
        assertTrue(waited > 0 && waited < most, () -> "waited for " + waited + " s");
    }

    private double eightbyte(String what) {
        return value("id_allocator_" + what + "_total{scheme=\"eightbyte\"}");
    }

    @Test
    void shouldTellOfTheReplicasLeases() {
        assertEquals(1, value("id_allocator_ready"));
        assertTrue(value("id_allocator_claims_total{scheme=\"sno\"}") >= 1);
        assertTrue(value("id_allocator_tenures_total{scheme=\"sno\"}") >= 1);
        assertTrue(scraped().contains("id_allocator_fences_total{reason=\"session-lost\",scheme=\"sno\"} 0.0\n"));
        assertTrue(value("id_allocator_renewal_seconds_sum{scheme=\"sno\"}") > 0);
        assertTrue(Math.abs(value("id_allocator_clock_offset_seconds")) < value("id_allocator_max_clock_skew_seconds"));
        String lead = SAMPLE.matcher(scraped())
                .results()
                .map(sample -> sample.group().strip())
                .filter(sample -> sample.startsWith("id_allocator_reservation_lead_seconds"))
                .findFirst()
                .orElseThrow();
        assertTrue(value(lead) > 0 && value(lead) <= value("id_allocator_window_seconds{scheme=\"sno\"}") + 1, lead);
        double all = Stream.of("held", "free", "cooling", "retired", "unreadable")
                .mapToDouble(state -> value("id_allocator_pool_slots{scheme=\"sno\",state=\"" + state + "\"}"))
                .sum();
        assertEquals(1_024, all);
    }

    @Test
    void shouldTellDropwizardTheSameOnce() {
        Map<String, Object> gauges = gauges();
        long issued = Math.round(value("id_allocator_ids_issued_total{scheme=\"sno\"}"));
        assertEquals(issued, gauges.get("id-allocator.sno.ids-issued"));
        assertEquals(true, gauges.get("id-allocator.ready"));
        gauges.forEach((name, value) -> assertNotNull(value, name));
        assertFalse(scraped().contains("id_allocator_sno_"));
    }
}
