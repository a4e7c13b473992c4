package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Form;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.Described.Route;
import org.idallocator.service.testing.Http;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The description of the routes and the running service say the same: all that is documented occurs, and nothing else does. */
class DescriptionTest {
    private static final String PATH = "/openapi.json";
    private static final String HEALTH = "/health-check";
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

    /** What those are told who send no body to the hasty one, by their routes. */
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
        routes().forEach(route -> SLOW.put(route.toString(), asking(route)));
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
        return described.routes().stream()
                .filter(route -> !route.path().equals(HEALTH))
                .toList();
    }

    /** Every operation is asked for everything that some operation may refuse. */
    @ParameterizedTest
    @MethodSource("routes")
    @ProofOnly("asks for each answer that the description has")
    void shouldAnswerAsDocumentedAndInNoOtherWay(Route route) {
        Map<String, Answered> answers = new LinkedHashMap<>();
        answers.put("plain", ask(route, "", Map.of(), ""));
        answers.put("text", ask(route, "", Map.of("Accept", "text/plain"), ""));
        answers.put("JSON", ask(route, "", Map.of("Accept", "application/json"), ""));
        answers.put("lines of JSON", ask(route, "", Map.of("Accept", "application/x-ndjson"), ""));
        answers.put("no type", ask(route, "", Map.of("Accept", "image/png"), ""));
        answers.put("unknown name", ask(route.method(), unknown(route), Map.of(), ""));
        answers.put("unknown parameter", ask(route, "?colour=red", Map.of(), ""));
        answers.put("bad, in text", ask(route, "?colour=red", Map.of("Accept", "text/plain"), ""));
        answers.put("body", ask(route, "", Map.of("Content-Type", FORM_BODY), "form=canonical"));
        answers.put("large body", ask(route, "", Map.of("Content-Type", FORM_BODY), "&".repeat(9_000)));
        answers.put("body of no use", ask(route, "", Map.of("Content-Type", "image/png"), "form=canonical"));
        answers.put(
                "slow body", Objects.requireNonNull(SLOW.get(route.toString())).join());
        answers.put("HTTP/1.0", askInHttp10(route));
        source().fenceAll(FenceReason.DEADLINE_PASSED);
        answers.put("fenced", ask(route, "", Map.of(), ""));
        source().serve();
        route.drawn().ifPresent(source()::exhaust);
        answers.put("dry", ask(route, "", Map.of(), ""));
        answers.put("busy", askCrowded(route));

        answers.forEach((name, answer) -> assertEquals(List.of(), described.differences(route, answer), name));
        Set<String> occurred = answers.values().stream()
                .map(answer -> Integer.toString(answer.status()))
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(described.statuses(route), occurred);
        assertEquals(503, answers.get("busy").status(), "limits.requests are for all of them");
    }

    /** A single ID would be answered all the same. */
    private static Answered askCrowded(Route route) {
        String query = route.drawn().isPresent() ? "?count=2" : "";
        URI uri = URI.create("http://localhost:" + crowded.app().port() + route.example() + query);
        return ask(route.method(), uri, Map.of(), "");
    }

    /** Where the path has a name in it, one that nothing has. */
    private static URI unknown(Route route) {
        return URI.create(
                "http://localhost:" + service.app().port() + route.path().replaceAll("\\{[^}]*}", "nope"));
    }

    private static Answered ask(Route route, String query, Map<String, String> headers, String body) {
        return ask(
                route.method(),
                URI.create("http://localhost:" + service.app().port() + route.example() + query),
                headers,
                body);
    }

    private static Answered ask(String method, URI uri, Map<String, String> headers, String body) {
        HttpRequest.Builder request = service.app()
                .request("")
                .uri(uri)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return Answered.of(service.app().send(request));
    }

    private static Answered askHasty(Route route) {
        URI uri = URI.create("http://localhost:" + hasty.app().port() + "/api" + route.example());
        return ask(route.method(), uri, Map.of(), "");
    }

    /** Begins a request in a thread of its own: all of them wait together for the end of the patience. */
    private static CompletableFuture<Answered> asking(Route route) {
        return CompletableFuture.supplyAsync(() -> askHastyOne(route), task -> new Thread(task, "slow-body").start());
    }

    /** Tells of a body, and does not send it. */
    private static Answered askHastyOne(Route route) {
        return Answered.ofRaw(hasty.app()
                .raw(route.method() + " /api" + route.example() + " HTTP/1.1\r\nHost: localhost\r\n"
                        + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n"));
    }

    /** For more IDs than are collected, in a form that writes them differently long, where there is one. */
    private static Answered askInHttp10(Route route) {
        String query = route.drawn()
                .map(name -> Schemes.named(name, Schemes.all()))
                .flatMap(DescriptionTest::unfixed)
                .map(form -> "?count=10001&form=" + form.name())
                .orElse("");
        return Answered.ofRaw(service.app().raw(route.method() + " " + route.example() + query + " HTTP/1.0\r\n\r\n"));
    }

    private static Optional<? extends Form<?>> unfixed(Scheme<?> scheme) {
        return scheme.forms().stream().filter(form -> !form.fixed()).findFirst();
    }

    /** What other tests know of bad requests is documented; a path that is not documented is none. */
    @ParameterizedTest
    @MethodSource("badRequests")
    void shouldDocumentEveryRefusal(List<String> row) {
        boolean withBody = row.size() == 6;
        String method = row.get(0);
        String path = row.get(1);
        URI uri = URI.create("http://localhost:" + service.app().port() + path);
        Answered answer = withBody
                ? ask(method, uri, Map.of("Content-Type", row.get(2)), row.get(3))
                : ask(method, uri, Map.of(), "");

        described
                .route(method, path)
                .ifPresentOrElse(
                        route -> assertEquals(List.of(), described.differences(route, answer)),
                        () -> assertEquals(described.hasPath(path) ? 405 : 404, answer.status()));
    }

    static Stream<List<String>> badRequests() {
        return Stream.of(BadRequestsTest.TABLE, PostTest.TABLE)
                .flatMap(String::lines)
                .map(line -> Stream.of(line.split("\\|", -1)).map(String::strip).toList())
                .filter(row -> !row.contains("none"));
    }

    /** Other methods than the documented ones are refused, and those are told. */
    @ParameterizedTest
    @MethodSource("routes")
    void shouldDocumentEveryMethod(Route route) {
        Answered refused =
                ask("DELETE", URI.create("http://localhost:" + service.app().port() + route.example()), Map.of(), "");
        Set<String> told =
                new TreeSet<>(List.of(refused.header("Allow").orElseThrow().split(",")));
        told.remove("OPTIONS");

        assertEquals(405, refused.status());
        assertEquals(
                described.routes().stream()
                        .filter(other -> other.path().equals(route.path()))
                        .map(Route::method)
                        .collect(Collectors.toSet()),
                told);
    }

    static Stream<Route> draws() {
        return routes().stream().filter(route -> route.method().equals("HEAD"));
    }

    /** A slot that is held is told in whole, here and with the IDs that are of it, or without where the holder is. */
    @ParameterizedTest
    @ValueSource(strings = {"/leases", "/ids/sno/{id}"})
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
        Answered answer = ask(route, "", Map.of(), "");

        Answered less = askHasty(route);
        discreet.serve();

        assertTrue(answer.body().contains(nonce), answer.body());
        assertEquals(List.of(), described.differences(route, answer));
        assertTrue(less.body().contains("\"0017\"") && !less.body().contains(nonce), less.body());
        assertEquals(List.of(), described.differences(route, less));
    }

    /** Each bound is the last that is taken; HEAD reads all parameters and draws nothing. */
    @ParameterizedTest
    @MethodSource("draws")
    void shouldTakeWhatTheParametersAllowAndNoMore(Route route) {
        for (JsonNode parameter : route.operation().path("parameters")) {
            String name = parameter.path("name").asText();
            JsonNode schema = parameter.path("schema");
            List<String> right = new ArrayList<>();
            List<String> wrong = new ArrayList<>(List.of("nonsense"));
            if (schema.path("type").asText().equals("integer")) {
                right.addAll(List.of(
                        schema.path("minimum").asText(), schema.path("maximum").asText()));
                wrong.add(Long.toString(schema.path("minimum").asLong() - 1));
                wrong.add(Long.toString(schema.path("maximum").asLong() + 1));
            } else if (schema.path("type").asText().equals("boolean")) {
                right.addAll(List.of("true", "false"));
            } else {
                schema.path("enum").forEach(value -> right.add(value.asText()));
            }

            assertTrue(right.size() >= 2, name);
            right.forEach(value -> assertEquals(
                    200, ask(route, "?" + name + "=" + value, Map.of(), "").status(), name + "=" + value));
            wrong.forEach(value -> assertEquals(
                    400, ask(route, "?" + name + "=" + value, Map.of(), "").status(), name + "=" + value));
        }
    }

    static Stream<Scheme<?>> schemes() {
        return Schemes.all().stream();
    }

    /** Nothing that a scheme offers is left out. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldDescribeEveryScheme(Scheme<?> scheme) {
        Route draw = described.route("GET", "/ids/" + scheme.name()).orElseThrow();
        List<String> expected = new ArrayList<>(List.of("count"));
        scheme.parameter().ifPresent(own -> expected.add(own.name()));
        expected.add("form");

        assertEquals(expected, draw.operation().path("parameters").findValuesAsText("name"));
        assertTrue(described.route("GET", "/ids/" + scheme.name() + "/x").isPresent());
    }

    /** Dropwizard answers there; a check takes a moment to notice. */
    @Test
    void shouldAnswerForHealthAsDocumentedAndInNoOtherWay() {
        Route health = described.route("GET", HEALTH).orElseThrow();
        service.awaitReady();
        List<Answered> answers = new ArrayList<>();
        List.of("", "?name=all", "?name=sno&name=muid", "?type=alive", "?name=nope", "?type=nope")
                .forEach(query -> answers.add(ask(health, query, Map.of(), "")));
        source().fenceAll(FenceReason.DEADLINE_PASSED);
        await().until(() -> service.app().get(HEALTH).statusCode() == 503);
        List.of("", "?name=all", "?name=sno", "?type=ready")
                .forEach(query -> answers.add(ask(health, query, Map.of(), "")));

        answers.forEach(answer -> assertEquals(List.of(), described.differences(health, answer)));
        assertEquals(
                described.statuses(health),
                answers.stream()
                        .map(answer -> Integer.toString(answer.status()))
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertEquals(
                Set.of("name", "type"),
                Set.copyOf(health.operation().path("parameters").findValuesAsText("name")));
        assertEquals(405, service.app().send("POST", HEALTH, "*/*").statusCode());
    }

    static Stream<List<Object>> samples() {
        return described.routes().stream()
                .flatMap(route -> Described.samples(route).stream().map(sample -> List.of(route, sample)));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void shouldAnswerWhenASampleIsPasted(List<Object> pasted) {
        Route route = (Route) pasted.get(0);
        if (route.path().equals(HEALTH)) {
            service.awaitReady();
        }
        Answered answer = paste((String) pasted.get(1));
        JsonNode shown = described.example(route, "200", "application/json", "one");

        assertEquals(200, answer.status(), answer.body());
        assertEquals(List.of(), described.differences(route, answer));
        if (route.path().endsWith("{id}")) {
            assertEquals(shown, Described.read("application/json", answer.body()));
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
        return ask(method, URI.create(words.get(words.size() - 1)), headers, String.join("&", data));
    }

    @Test
    void shouldBeADocumentOfOpenApi() throws IOException {
        List<String> ids = described.routes().stream()
                .map(route -> route.operation().path("operationId").asText())
                .toList();

        assertEquals(List.of(), described.faults());
        assertEquals(List.of(), described.faultsOfSchemas());
        assertEquals(List.of(), described.brokenReferences());
        assertEquals(Set.copyOf(ids).size(), ids.size(), ids.toString());
    }

    @Test
    void shouldShowASampleOfEveryOperation() {
        described.routes().forEach(route -> assertFalse(Described.samples(route).isEmpty(), route.toString()));
    }

    @Test
    void shouldShowExamplesThatAreAsTheirSchemasSay() {
        assertEquals(List.of(), described.wrongExamples());
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

    /** Where the routes are below a path, so are those that are described. */
    @Test
    void shouldNameTheServerByThePathOfTheRoutes() {
        JsonNode below = hasty.app().json("/api" + PATH);
        Route catalogue = new Described(below).route("GET", "/ids").orElseThrow();
        Route health = new Described(below).route("GET", HEALTH).orElseThrow();

        assertEquals("/", service.app().json(PATH).at("/servers/0/url").asText());
        assertEquals("/api", below.at("/servers/0/url").asText());
        assertEquals("/", below.at("/paths/~1health-check/servers/0/url").asText());
        hasty.awaitReady();
        Stream.of(catalogue, health)
                .flatMap(route -> Described.samples(route).stream())
                .forEach(sample -> assertEquals(200, paste(sample).status(), sample));
    }
}
