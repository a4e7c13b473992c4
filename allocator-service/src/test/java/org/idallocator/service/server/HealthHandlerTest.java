package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.MetricRegistry;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.health.response.HealthResponse;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.idallocator.core.clock.ScriptedClock;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.metrics.Meters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are answered without a servlet, with what, and for how long an answer is kept. */
class HealthHandlerTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private final List<Map<String, Collection<String>>> asked = new ArrayList<>();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private final Meters meters = new Meters(new MetricRegistry());

    private void start() throws Exception {
        start(Optional.of("no-store"), false);
    }

    private void start(Optional<String> cacheControl, boolean variesByOrigin) throws Exception {
        HealthAnswers answers = new HealthAnswers(
                query -> {
                    asked.add(query);
                    return new HealthResponse(false, "[" + asked.size() + "]\n", "application/json", 503);
                },
                List.of("sno", "leases"),
                clock);
        RequestMetrics metrics = new RequestMetrics(meters, BasePath.of(new Environment("test")));
        HealthHandler handler =
                new HealthHandler(Set.of("/health-check"), answers, cacheControl, variesByOrigin, metrics);
        handler.setHandler(new Servlets());
        server.addConnector(connector);
        server.setHandler(handler);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** What is behind the handler. */
    private static final class Servlets extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            response.setStatus(299);
            callback.succeeded();
            return true;
        }
    }

    private String answer(String request) throws Exception {
        return answer(request, "");
    }

    private String answer(String request, String headers) throws Exception {
        return connector.getResponse(
                request + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "Connection: close\r\n\r\n");
    }

    @Test
    void shouldAnswerAGet() throws Exception {
        start();

        String answer = answer("GET /health-check");

        assertTrue(answer.startsWith("HTTP/1.1 503 "), answer);
        assertTrue(answer.contains("\r\nCache-Control: no-store\r\n"), answer);
        assertTrue(answer.contains("\r\nContent-Type: application/json\r\n"), answer);
        assertTrue(answer.endsWith("\r\n\r\n[1]\n"), answer);
        assertEquals(List.of(Map.of()), asked);
        await("an answer counts when it has been sent").until(() -> counted("503") == 1);
        assertEquals(0, counted("200"));
    }

    private double counted(String status) {
        return meters.registry().scrape("id_allocator_http_requests"::equals).stream()
                .flatMap(each -> ((CounterSnapshot) each).getDataPoints().stream())
                .filter(each -> status.equals(each.getLabels().get("status")))
                .mapToDouble(CounterSnapshot.CounterDataPointSnapshot::getValue)
                .sum();
    }

    @Test
    void shouldTellCachesNothingWhenNothingIsConfigured() throws Exception {
        start(Optional.empty(), false);

        assertFalse(answer("GET /health-check").contains("Cache-Control"));
    }

    @Test
    void shouldLeavePagesOfOtherOriginsToTheServletsWhenSomeMayRead() throws Exception {
        start(Optional.empty(), true);

        assertTrue(
                answer("GET /health-check", "Origin: https://page.example\r\n").startsWith("HTTP/1.1 299 "));
        assertTrue(answer("GET /health-check").contains("\r\nVary: Accept-Encoding, Origin\r\n"));
    }

    @Test
    void shouldLeaveTheAdminPortToItsServlets() throws Exception {
        connector.setName("admin");
        start();

        assertTrue(answer("GET /health-check").startsWith("HTTP/1.1 299 "));
    }

    /** As Java's own client sends it. */
    @Test
    void shouldAnswerAGetThatSaysItHasNoBody() throws Exception {
        start();

        assertTrue(answer("GET /health-check", "Content-Length: 0\r\n").startsWith("HTTP/1.1 503 "));
    }

    @Test
    void shouldAskForWhatTheQueryAsksFor() throws Exception {
        start();
        for (String query : List.of("type=alive", "type=ready", "name=all", "name=sno", "name=leases")) {
            assertTrue(answer("GET /health-check?" + query).startsWith("HTTP/1.1 503 "), query);
        }

        assertEquals(
                List.of(
                        Map.of("type", List.of("alive")),
                        Map.of("type", List.of("ready")),
                        Map.of("name", List.of("all")),
                        Map.of("name", List.of("sno")),
                        Map.of("name", List.of("leases"))),
                asked);
    }

    @Test
    void shouldKeepAnAnswerForAMoment() throws Exception {
        start();

        assertTrue(answer("GET /health-check").endsWith("[1]\n"));
        clock.advance(Duration.ofNanos(HealthAnswers.KEPT_NANOS - 1));
        assertTrue(answer("GET /health-check").endsWith("[1]\n"));
        clock.advance(Duration.ofNanos(1));
        assertTrue(answer("GET /health-check").endsWith("[2]\n"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST /health-check",
                "HEAD /health-check",
                "GET /health-checks",
                "GET /",
                "GET /health-check?name=all&type=ready",
                "GET /health-check?name=nothing",
                "GET /health-check?name=sno&name=leases",
                "GET /health-check?n%61me=sno",
                "GET /health-check?name=%zz"
            })
    void shouldLeaveOtherRequestsToTheServlets(String request) throws Exception {
        assertLeftToTheServlets(request, "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 1", "Transfer-Encoding: chunked"})
    void shouldLeaveOtherRequestsToTheServletsByTheirHeaders(String header) throws Exception {
        assertLeftToTheServlets("GET /health-check", header + "\r\n");
    }

    private void assertLeftToTheServlets(String request, String headers) throws Exception {
        start();

        String answer = answer(request, headers);

        assertTrue(answer.startsWith("HTTP/1.1 299 "), answer);
        assertEquals(List.of(), asked);
    }
}
