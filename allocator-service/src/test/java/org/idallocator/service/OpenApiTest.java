package org.idallocator.service;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.health.HealthCheckType;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Allowed;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.Described.Route;
import org.idallocator.service.decode.Forms;
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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file that describes the routes says what the code has: each route, parameter, value and shape, and no others. And it says what the
 * running service answers: all that is documented occurs, and nothing else does.
 */
class OpenApiTest {
    private static final String PATH = "/openapi.json";
    private static final String FORM_BODY = "application/x-www-form-urlencoded";
    private static final Pattern ALLOWED_HERE = Pattern.compile("allowed here: ([^\"]*)");

    /** A call of curl: its headers, and the rest. */
    private static final Pattern HEADER = Pattern.compile(" -H '([^:]*): ([^']*)'");

    private static final Pattern DATA = Pattern.compile(" -d '?([^' ]*)'?");
    private static final Pattern CALL = Pattern.compile("curl( -I)? 'http://localhost:8080(/[^']*)'");

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    /** Below a path, and with less patience for bodies. */
    @SuppressWarnings("NullAway.Init")
    private static RunningService hasty;

    @SuppressWarnings("NullAway.Init")
    private static JsonNode document;

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    /** What those are told who tell of a body and do not send it, by their methods and paths; all of them wait together. */
    private static final Map<String, CompletableFuture<Answered>> SLOW = new HashMap<>();

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class, "tellWhereabouts=true");
        hasty = RunningService.start(
                ObedientApplication.class, "server.rootPath=/api", "server.applicationConnectors[0].idleTimeout=10s");
        document = service.app().json(PATH);
        described = new Described(document);
        for (Route route : routes()) {
            for (String path : route.examples()) {
                String head = route.method() + " /api" + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
                String body = "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n";
                SLOW.put(
                        route.method() + path,
                        CompletableFuture.supplyAsync(
                                () -> Answered.ofRaw(hasty.app().raw(head + body)), task -> new Thread(task).start()));
            }
        }
    }

    @AfterAll
    static void stop() {
        service.close();
        hasty.close();
    }

    @AfterEach
    void serve() {
        source(service).serve();
        source(hasty).serve();
    }

    private static ObedientSource source(RunningService of) {
        return ((ObedientApplication) of.support().getApplication()).source();
    }

    /** Those that this project answers. */
    static List<Route> routes() {
        return described.ownRoutes();
    }

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    private static Answered ask(String method, String path, Map<String, String> headers, String body) {
        return Answered.to(service.app(), method, path, headers, body);
    }

    private static Answered ask(String method, String path) {
        return ask(method, path, Map.of(), "");
    }

    private static Route route(String method, String path) {
        return described.route(method, path).orElseThrow();
    }

    private static void assertDescribed(Route route, Answered answer) {
        assertEquals(List.of(), described.differences(route, answer), () -> route + " " + answer);
    }

    /** By method and path, the names of the parameters: those of the path, and those that the refusal of another one tells. */
    @Test
    void shouldHaveEveryResourceMethodAndNoOther() {
        Map<String, Set<String>> served = new TreeMap<>();
        service.support().getEnvironment().jersey().getResourceConfig().getClasses().stream()
                .filter(type -> type.isAnnotationPresent(Path.class))
                .forEach(resource -> Arrays.stream(resource.getMethods()).forEach(method -> {
                    String path = resource.getAnnotation(Path.class).value()
                            + (method.isAnnotationPresent(Path.class)
                                    ? "/" + method.getAnnotation(Path.class).value()
                                    : "");
                    Arrays.stream(method.getAnnotations())
                            .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                            .filter(Objects::nonNull)
                            .forEach(asking -> served.put(asking.value() + " " + path, taken(asking.value(), path)));
                }));
        Map<String, Set<String>> said = new TreeMap<>();
        routes().forEach(route -> said.put(
                route.toString(),
                Stream.of("path", "query")
                        .flatMap(place -> route.names(place).stream())
                        .collect(Collectors.toCollection(TreeSet::new))));

        assertEquals(served, said);
    }

    /** HEAD takes what GET takes, and tells nothing. */
    private static Set<String> taken(String method, String path) {
        Set<String> taken = new TreeSet<>();
        Pattern.compile("\\{([^}]*)}").matcher(path).results().forEach(name -> taken.add(name.group(1)));
        String asking = method.equals("HEAD") ? "GET" : method;
        routes().stream()
                .filter(route -> route.toString().equals(asking + " " + path))
                .flatMap(route -> route.examples().stream())
                .map(example -> ALLOWED_HERE.matcher(
                        ask(asking, example + "?colour=red").body()))
                .filter(Matcher::find)
                .flatMap(told -> Stream.of(told.group(1).split(", ")))
                .filter(name -> !name.equals("none"))
                .forEach(taken::add);
        return taken;
    }

    /** Wherever the file lists values, these are those of the code; and it lists no others. The guide has the reasons of problems. */
    @Test
    void shouldListTheValuesThatTheCodeHas() {
        List<String> forms = Forms.names(Schemes.all());
        List<String> checks =
                Arrays.stream(HealthCheckType.values()).map(Enum::name).toList();
        List<String> reasons =
                Arrays.stream(FenceReason.values()).map(FenceReason::code).toList();
        List<String> types =
                Arrays.stream(GidType.values()).map(GidType::toString).toList();
        Map<String, Stream<String>> expected = new TreeMap<>();
        expected.put("/components/schemas/SchemeName", Schemes.names().stream());
        expected.put("/components/schemas/Form", forms.stream());
        expected.put("/components/parameters/form/schema", forms.stream());
        expected.put("/components/schemas/Type", types.stream());
        expected.put("/components/schemas/Reason", reasons.stream());
        expected.put(
                "/paths/~1problems~1{reason}/get/parameters/0/schema",
                Stream.concat(reasons.stream(), Stream.of("over-capacity", "busy")));
        expected.put("/components/schemas/HealthChecks/items/properties/type", checks.stream());
        expected.put(
                "/paths/~1health-check/get/parameters/1/schema",
                checks.stream().map(name -> name.toLowerCase(Locale.ROOT)));

        expected.forEach((at, values) -> assertEquals(
                values.sorted().toList(),
                document.at(at + "/enum")
                        .valueStream()
                        .map(JsonNode::asText)
                        .sorted()
                        .toList(),
                at));
        assertEquals(expected.size(), document.findValues("enum").size());
    }

    /** What a body may say is what the query may say. */
    @Test
    void shouldTakeTheSameParametersInTheBody() {
        Route post = route("POST", "/ids/sno");
        JsonNode content = post.operation().at("/requestBody/content");

        assertEquals(2, content.size());
        for (String type : List.of(FORM_BODY, "application/json")) {
            JsonNode properties =
                    described.resolved(content.path(type).path("schema")).path("properties");
            Set<String> names = new TreeSet<>();
            properties.fieldNames().forEachRemaining(names::add);
            assertEquals(post.names("query"), names);
            for (String name : names) {
                ObjectNode schema = parameter(post, name).path("schema").deepCopy();
                schema.remove("default");
                assertEquals(schema, described.resolved(properties.path(name)), name);
            }
        }
    }

    private static JsonNode parameter(Route route, String name) {
        return route.parameters().stream()
                .filter(parameter -> parameter.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The parameter of one scheme alone with its values, the forms and the text, as far as one description of all schemes can tell them. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayWhoseAParameterIsAndHowIdsAreWritten(Scheme<?> scheme) {
        String forms = scheme.name() + ": " + String.join(", ", Forms.names(List.of(scheme)));
        String text = document.at("/components/schemas/IdText/description").asText();

        scheme.parameter().ifPresent(own -> {
            JsonNode parameter = parameter(route("GET", "/ids/" + scheme.name()), own.name());
            String description = parameter.path("description").asText();
            assertTrue(description.startsWith("Of " + scheme.name() + " alone: " + own.allowed()), description);
            if (own.values() instanceof Allowed.Range range) {
                assertEquals(range.least(), parameter.at("/schema/minimum").asInt());
                assertEquals(range.most(), parameter.at("/schema/maximum").asInt());
            }
        });
        for (Route route : routes()) {
            assertTrue(
                    !route.path().contains("{scheme}")
                            || parameter(route, "form")
                                    .path("description")
                                    .asText()
                                    .contains(forms),
                    forms);
        }
        assertTrue(text.contains(scheme.type().textPattern() + " of " + scheme.name()), text);
    }

    @Test
    void shouldNameTheBoundsThatNoConfigurationPasses() {
        JsonNode text = document.at("/components/schemas/IdText");
        JsonNode parameters = document.at("/components/parameters");
        Scheme<?> muid = Schemes.named("muid", Schemes.all());
        Variant transaction = muid.parameter().orElseThrow().parse().apply("true");
        List<Form<? extends Id>> forms = new ArrayList<>();
        Schemes.all().forEach(scheme -> forms.addAll(Forms.all(scheme)));

        assertEquals(
                Schemes.all().stream()
                        .mapToInt(scheme -> scheme.largestCount(scheme.defaultVariant()))
                        .max()
                        .orElseThrow(),
                document.at("/components/schemas/Count/maximum").asInt());
        assertEquals(
                forms.stream().mapToInt(Form::shortest).min().orElseThrow(),
                text.path("minLength").asInt());
        assertEquals(
                forms.stream().mapToInt(Form::longest).max().orElseThrow(),
                text.path("maxLength").asInt());
        assertTrue(parameters.at("/count/description").asText().endsWith(" " + muid.largestCount(transaction)));
        assertEquals(Form.CANONICAL, parameters.at("/form/schema/default").asText());
    }

    @Test
    void shouldBeADocumentOfOpenApi() throws IOException {
        List<String> ids = described.routes().stream()
                .map(route -> route.operation().path("operationId").asText())
                .toList();

        assertEquals(List.of(), described.faults());
        assertEquals(described.components(), Set.copyOf(document.findValuesAsText("$ref")));
        assertEquals(List.of(), described.wrongExamples());
        assertEquals(Set.copyOf(ids).size(), ids.size(), ids.toString());
        assertTrue(document.at("/info/version").asText().matches("[0-9]+\\.[0-9.]+(-SNAPSHOT)?"));
        described.routes().forEach(route -> assertFalse(Described.samples(route).isEmpty(), route.toString()));
    }

    /** The addresses are relative, so that they are right for clients behind a proxy that takes away the beginning of paths, too. */
    @ParameterizedTest
    @CsvSource({"/, /api", "/app, /", "/app, /api/v1"})
    void shouldNameTheServerByWhereTheDescriptionIs(String context, String root) {
        try (RunningService below = RunningService.start(
                ObedientApplication.class, "server.applicationContextPath=" + context, "server.rootPath=" + root)) {
            String at = (context + "/" + root + PATH).replaceAll("/+", "/");
            assertEquals(document, below.app().json(at));
            described.routes().stream()
                    .filter(route -> route.method().equals("GET"))
                    .forEach(route -> shouldBeThere(route, URI.create(at), below));
        }
    }

    private static void shouldBeThere(Route route, URI description, RunningService below) {
        JsonNode own = document.path("paths").path(route.path()).path("servers");
        List<Integer> statuses = (own.isMissingNode() ? document.path("servers") : own)
                .valueStream()
                .map(server -> description.resolve(server.path("url").asText()).toString())
                .map(server -> below.app().status(server.replaceFirst("/$", "") + route.example()))
                .toList();

        boolean notReady = route.path().equals(Described.HEALTH) && statuses.contains(503);
        assertTrue(statuses.contains(200) || notReady, route + " " + statuses);
    }

    /** Every operation is asked for everything that some operation may refuse; where it has a scheme, of each scheme. */
    @ParameterizedTest
    @MethodSource("routes")
    @ProofOnly("asks for each answer that the description has")
    void shouldAnswerAsDocumentedAndInNoOtherWay(Route route) {
        Set<String> occurred = new TreeSet<>(Set.of("503")); // LimitsTest has each route refuse those who are too many
        for (String path : route.examples()) {
            for (Answered answer : answers(route, path)) {
                assertDescribed(route, answer);
                occurred.add(Integer.toString(answer.status()));
            }
        }
        assertEquals(described.statuses(route), occurred);
    }

    private static List<Answered> answers(Route route, String path) {
        String method = route.method();
        List<Answered> answers = new ArrayList<>();
        answers.add(ask(method, path));
        for (String accept : List.of("text/plain", "application/json", "application/x-ndjson", "image/png")) {
            answers.add(ask(method, path, Map.of("Accept", accept), ""));
        }
        answers.add(ask(method, route.path().replaceAll("\\{[^}]*}", "nope")));
        answers.add(ask(method, path + "?colour=red"));
        answers.add(ask(method, path + "?colour=red", Map.of("Accept", "text/plain"), ""));
        answers.add(ask(method, path, Map.of("Content-Type", FORM_BODY), "form=canonical"));
        answers.add(ask(method, path, Map.of("Content-Type", FORM_BODY), "&".repeat(9_000)));
        answers.add(ask(method, path, Map.of("Content-Type", "image/png"), "form=canonical"));
        answers.add(Objects.requireNonNull(SLOW.get(method + path)).join());
        source(service).fenceAll(FenceReason.DEADLINE_PASSED);
        answers.add(ask(method, path));
        source(service).serve();
        Schemes.names().forEach(source(service)::exhaust);
        answers.add(ask(method, path));
        source(service).serve();
        return answers;
    }

    /** A slot that is held is told in whole, here and with the IDs that are of it, or without where the holder is. */
    @ParameterizedTest
    @ValueSource(strings = {"/leases", "/ids/sno/9q7qmwq2222dhi22"})
    void shouldDocumentAllThatIsSaidOfAHolder(String path) {
        Instant now = Instant.EPOCH;
        String nonce = "0f8fad5b-d9cb-469f-a165-70867728950e";
        LeaseNode lease = new LeaseNode(
                Version.OURS, "0017", nonce, "a", "host-1", 4711, "http://host-1:8080", "0x1000a2b3c4d0001", now);
        HeldSlot held = new HeldSlot(
                "sno", "0017", lease, now, 9_000, 8_000, "/id-allocator/sno/leases/0017", nonce, now, 1, 2);
        source(service).hold(held);
        source(hasty).hold(held);
        Answered answer = ask("GET", path);
        Answered less = Answered.to(hasty.app(), "GET", "/api" + path, Map.of(), "");

        assertTrue(answer.body().contains(nonce), answer.body());
        assertDescribed(route("GET", path), answer);
        assertTrue(less.body().contains("\"0017\"") && !less.body().contains(nonce), less.body());
        assertDescribed(route("GET", path), less);
    }

    /** Dropwizard answers there; a check takes a moment to notice. */
    @Test
    void shouldAnswerForHealthAsDocumentedAndInNoOtherWay() {
        Route health = route("GET", Described.HEALTH);
        service.awaitReady();
        Set<String> occurred = new TreeSet<>();
        for (String query :
                List.of("", "?name=all", "?name=sno&name=muid", "?type=alive", "?name=nope", "?type=nope")) {
            occurred.add(assertHealth(health, query));
        }
        source(service).fenceAll(FenceReason.DEADLINE_PASSED);
        await().until(() -> service.app().status(Described.HEALTH) == 503);
        for (String query : List.of("", "?name=all", "?name=sno", "?type=ready")) {
            occurred.add(assertHealth(health, query));
        }

        assertEquals(described.statuses(health), occurred);
        assertEquals(Set.of("name", "type"), health.names("query"));
        assertEquals(405, ask("POST", Described.HEALTH).status());
    }

    private static String assertHealth(Route health, String query) {
        Answered answer = ask("GET", Described.HEALTH + query);
        assertDescribed(health, answer);
        return Integer.toString(answer.status());
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
        assertDescribed(route, answer);
        if (route.path().endsWith("{id}")) {
            JsonNode said = Described.read("application/json", answer.body());
            assertEquals(
                    described.example(
                            route,
                            "200/content/application~1json",
                            said.path("scheme").asText()),
                    said);
        }
    }

    /** What curl would send. */
    private static Answered paste(String sample) {
        Map<String, String> headers = new LinkedHashMap<>();
        String rest = HEADER.matcher(sample).replaceAll(found -> {
            headers.put(found.group(1), found.group(2));
            return "";
        });
        List<String> data =
                DATA.matcher(rest).results().map(found -> found.group(1)).toList();
        Matcher call = CALL.matcher(DATA.matcher(rest).replaceAll(""));
        assertTrue(call.matches(), sample);
        if (data.isEmpty()) {
            return ask(call.group(1) == null ? "GET" : "HEAD", call.group(2), headers, "");
        }
        headers.putIfAbsent("Content-Type", FORM_BODY);
        return ask("POST", call.group(2), headers, String.join("&", data));
    }

    /** What keeps a scheme from serving is an example of the answer that tells it. */
    @Test
    void shouldShowEveryReason() {
        for (FenceReason reason : FenceReason.values()) {
            source(service).fence("sno", reason);

            assertEquals(
                    described.example(route("GET", "/ids/sno"), "503/content/application~1problem+json", reason.code()),
                    Http.json(service.app().get("/ids/sno")));
        }
    }
}
