package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.Described.Route;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The description of the routes and the answers of the running service say the same: all that is documented occurs, and nothing
 * else does. {@link OpenApiTest} compares the routes themselves.
 */
class DescriptionTest {
    private static final String PATH = "/openapi.json";
    private static final String FORM_BODY = "application/x-www-form-urlencoded";
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    /** Below a path, and with less patience for bodies. */
    @SuppressWarnings("NullAway.Init")
    private static RunningService hasty;

    /** Answers one request at a time, and is answering one. */
    @SuppressWarnings("NullAway.Init")
    private static RunningService crowded;

    /** What those are told who send no body to the hasty one, by their methods and paths. */
    private static final Map<String, CompletableFuture<Answered>> SLOW = new HashMap<>();

    private static final CountDownLatch ENDED = new CountDownLatch(1);

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class, "tellWhereabouts=true");
        hasty = RunningService.start(
                ObedientApplication.class, "server.rootPath=/api", "server.applicationConnectors[0].idleTimeout=10s");
        crowded = RunningService.start(ObedientApplication.class, "limits.requests=1");
        described = new Described(service.app().json(PATH));
        for (Route route : routes()) {
            route.examples().forEach(path -> SLOW.put(route.method() + " " + path, asking(route.method(), path)));
        }
        fill(crowded);
    }

    /** Returns when the service answers a request, which it does until the end. */
    private static void fill(RunningService service) {
        CountDownLatch asked = new CountDownLatch(1);
        ((ObedientApplication) service.support().getApplication()).source().whenAskedForAHolder(() -> {
            asked.countDown();
            await().forever().until(() -> ENDED.getCount() == 0);
        });
        service.app().begin("/ids/sno/9q7qmwq2222dhi22");
        await().until(() -> asked.getCount() == 0);
    }

    @AfterAll
    static void stop() {
        ENDED.countDown();
        service.close();
        hasty.close();
        crowded.close();
    }

    @AfterEach
    void serve() {
        source().serve();
    }

    private static ObedientSource source() {
        return ((ObedientApplication) service.support().getApplication()).source();
    }

    /** Those that this project answers. */
    static List<Route> routes() {
        return described.ownRoutes();
    }

    /** Every operation is asked for everything that some operation may refuse; where it has a scheme, of each scheme. */
    @ParameterizedTest
    @MethodSource("routes")
    @ProofOnly("asks for each answer that the description has")
    void shouldAnswerAsDocumentedAndInNoOtherWay(Route route) {
        Set<String> occurred = new TreeSet<>();
        for (String path : route.examples()) {
            Map<String, Answered> answers = answers(route, path);

            answers.forEach(
                    (name, answer) -> assertEquals(List.of(), described.differences(route, answer), path + " " + name));
            answers.values().forEach(answer -> occurred.add(Integer.toString(answer.status())));
            assertEquals(
                    503, Objects.requireNonNull(answers.get("busy")).status(), "limits.requests are for all of them");
        }
        assertEquals(described.statuses(route), occurred);
    }

    private static Map<String, Answered> answers(Route route, String path) {
        String method = route.method();
        Map<String, Answered> answers = new LinkedHashMap<>();
        answers.put("plain", ask(method, path, Map.of(), ""));
        answers.put("text", ask(method, path, Map.of("Accept", "text/plain"), ""));
        answers.put("JSON", ask(method, path, Map.of("Accept", "application/json"), ""));
        answers.put("lines of JSON", ask(method, path, Map.of("Accept", "application/x-ndjson"), ""));
        answers.put("no type", ask(method, path, Map.of("Accept", "image/png"), ""));
        answers.put("unknown name", ask(method, route.path().replaceAll("\\{[^}]*}", "nope"), Map.of(), ""));
        answers.put("unknown parameter", ask(method, path + "?colour=red", Map.of(), ""));
        answers.put("bad, in text", ask(method, path + "?colour=red", Map.of("Accept", "text/plain"), ""));
        answers.put("body", ask(method, path, Map.of("Content-Type", FORM_BODY), "form=canonical"));
        answers.put("large body", ask(method, path, Map.of("Content-Type", FORM_BODY), "&".repeat(9_000)));
        answers.put("body of no use", ask(method, path, Map.of("Content-Type", "image/png"), "form=canonical"));
        answers.put(
                "slow body",
                Objects.requireNonNull(SLOW.get(method + " " + path)).join());
        source().fenceAll(FenceReason.DEADLINE_PASSED);
        answers.put("fenced", ask(method, path, Map.of(), ""));
        source().serve();
        Schemes.names().forEach(source()::exhaust);
        answers.put("dry", ask(method, path, Map.of(), ""));
        source().serve();
        answers.put("busy", askCrowded(route, path));
        return answers;
    }

    /** A single ID would be answered all the same. */
    private static Answered askCrowded(Route route, String path) {
        return Answered.to(crowded.app(), route.method(), path + (route.draws() ? "?count=2" : ""), Map.of(), "");
    }

    private static Answered ask(String method, String path, Map<String, String> headers, String body) {
        return Answered.to(service.app(), method, path, headers, body);
    }

    /** Begins a request in a thread of its own: all of them wait together for the end of the patience. */
    private static CompletableFuture<Answered> asking(String method, String path) {
        return CompletableFuture.supplyAsync(
                () -> askHasty(method, path), task -> new Thread(task, "slow-body").start());
    }

    /** Tells of a body, and does not send it. */
    private static Answered askHasty(String method, String path) {
        return Answered.ofRaw(hasty.app()
                .raw(method + " /api" + path + " HTTP/1.1\r\nHost: localhost\r\n"
                        + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"));
    }

    /** A slot that is held is told in whole, here and with the IDs that are of it, or without where the holder is. */
    @ParameterizedTest
    @ValueSource(strings = {"/leases", "/ids/{scheme}/{id}"})
    void shouldDocumentAllThatIsSaidOfAHolder(String path) {
        Instant now = Instant.EPOCH;
        String nonce = "0f8fad5b-d9cb-469f-a165-70867728950e";
        LeaseNode lease = new LeaseNode(
                Version.OURS, "0017", nonce, "a", "host-1", 4711, "http://host-1:8080", "0x1000a2b3c4d0001", now);
        HeldSlot held = new HeldSlot(
                "sno", "0017", lease, now, 9_000, 8_000, "/id-allocator/sno/leases/0017", nonce, now, 1, 2);
        source().hold(held);
        ObedientSource discreet = ((ObedientApplication) hasty.support().getApplication()).source();
        discreet.hold(held);
        Route route = routes().stream()
                .filter(each -> each.path().equals(path))
                .findFirst()
                .orElseThrow();
        Answered answer = ask("GET", route.example(), Map.of(), "");

        Answered less = Answered.to(hasty.app(), "GET", "/api" + route.example(), Map.of(), "");
        discreet.serve();

        assertTrue(answer.body().contains(nonce), answer.body());
        assertEquals(List.of(), described.differences(route, answer));
        assertTrue(less.body().contains("\"0017\"") && !less.body().contains(nonce), less.body());
        assertEquals(List.of(), described.differences(route, less));
    }

    /** Dropwizard answers there; a check takes a moment to notice. */
    @Test
    void shouldAnswerForHealthAsDocumentedAndInNoOtherWay() {
        Route health = described.route("GET", Described.HEALTH).orElseThrow();
        service.awaitReady();
        List<Answered> answers = new ArrayList<>();
        List.of("", "?name=all", "?name=sno&name=muid", "?type=alive", "?name=nope", "?type=nope")
                .forEach(query -> answers.add(ask("GET", Described.HEALTH + query, Map.of(), "")));
        source().fenceAll(FenceReason.DEADLINE_PASSED);
        await().until(() -> service.app().status(Described.HEALTH) == 503);
        List.of("", "?name=all", "?name=sno", "?type=ready")
                .forEach(query -> answers.add(ask("GET", Described.HEALTH + query, Map.of(), "")));

        answers.forEach(answer -> assertEquals(List.of(), described.differences(health, answer)));
        assertEquals(
                described.statuses(health),
                answers.stream()
                        .map(answer -> Integer.toString(answer.status()))
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(Set.of("name", "type"), health.names("query"));
        assertEquals(405, service.app().send("POST", Described.HEALTH, "*/*").statusCode());
    }

    static Stream<List<Object>> samples() {
        return described.routes().stream()
                .flatMap(route -> Described.samples(route).stream().map(sample -> List.of(route, sample)));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldAnswerWhenASampleIsPasted(List<Object> pasted) {
        Route route = (Route) pasted.get(0);
        if (route.path().equals(Described.HEALTH)) {
            service.awaitReady();
        }
        Answered answer = paste((String) pasted.get(1));

        assertEquals(200, answer.status(), answer.body());
        assertEquals(List.of(), described.differences(route, answer));
        if (route.path().endsWith("{id}")) {
            JsonNode said = Described.read("application/json", answer.body());
            String scheme = said.path("scheme").asText();
            assertEquals(described.example(route, "200", "application/json", scheme), said);
        }
    }

    /** What curl would send. */
    private static Answered paste(String sample) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(sample);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        assertEquals("curl", words.get(0));
        Map<String, String> headers = new LinkedHashMap<>();
        List<String> data = new ArrayList<>();
        String method = "GET";
        for (int i = 1; i < words.size() - 1; i++) {
            switch (words.get(i)) {
                case "-I" -> method = "HEAD";
                case "-H" ->
                    headers.put(
                            words.get(++i).replaceFirst(":.*", ""), words.get(i).replaceFirst("[^:]*: ", ""));
                case "-d" -> data.add(words.get(++i));
                default -> throw new AssertionError("an option that this does not know: " + words.get(i));
            }
        }
        if (!data.isEmpty()) {
            method = "POST";
            headers.putIfAbsent("Content-Type", FORM_BODY);
        }
        URI uri = URI.create(words.get(words.size() - 1));
        assertEquals("localhost:8080", uri.getAuthority());
        String path = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        return ask(method, path, headers, String.join("&", data));
    }

    /** What keeps a scheme from serving is an example of the answer that tells it. */
    @Test
    void shouldShowEveryReason() {
        Route draw = described.route("GET", "/ids/sno").orElseThrow();

        for (FenceReason reason : FenceReason.values()) {
            source().fence("sno", reason);
            JsonNode shown = described.example(draw, "503", "application/problem+json", reason.code());

            assertEquals(shown, Http.json(service.app().get("/ids/sno")), reason.code());
        }
    }
}
