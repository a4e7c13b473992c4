package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.io.Resources;
import io.dropwizard.health.HealthCheckType;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Allowed;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.Described.Route;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The file that describes the routes says what the code has: each route, parameter, value and shape, and no others. {@link
 * DescriptionTest} compares the answers.
 */
class OpenApiTest {
    private static final String PATH = "/openapi.json";
    private static final String FORM_BODY = "application/x-www-form-urlencoded";
    private static final Pattern ALLOWED_HERE = Pattern.compile("allowed here: ([^\"]*)");
    private static final Pattern SECTION = Pattern.compile("(?m)^### ([a-z-]+)$");

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    @SuppressWarnings("NullAway.Init")
    private static JsonNode document;

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class);
        document = service.app().json(PATH);
        described = new Described(document);
    }

    @AfterAll
    static void stop() {
        service.close();
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

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    private static Answered ask(String method, String path) {
        return Answered.to(service.app(), method, path, Map.of(), "");
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
        described.ownRoutes().stream()
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

    private static Set<String> names(JsonNode object) {
        return object.propertyStream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Wherever the file lists values, these are those of the code; and it lists no others. */
    @Test
    void shouldListTheValuesThatTheCodeHas() throws IOException {
        List<String> forms = Forms.names(Schemes.all());
        List<String> types =
                Arrays.stream(GidType.values()).map(GidType::toString).toList();
        List<String> checks =
                Arrays.stream(HealthCheckType.values()).map(Enum::name).toList();
        Map<String, List<String>> expected = new TreeMap<>();
        expected.put("/components/schemas/SchemeName", Schemes.names());
        expected.put("/components/schemas/Form", forms);
        expected.put("/components/parameters/form/schema", forms);
        expected.put("/components/schemas/Type", types);
        expected.put(
                "/components/schemas/Reason",
                Arrays.stream(FenceReason.values()).map(FenceReason::code).toList());
        expected.put("/paths/~1problems~1{reason}/get/parameters/0/schema", sectionsOfTheGuide());
        expected.put("/components/schemas/HealthChecks/items/properties/type", checks);
        expected.put(
                "/paths/~1health-check/get/parameters/1/schema",
                checks.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());

        Map<String, List<String>> listed = new TreeMap<>();
        collectLists(document, "", listed);
        expected.replaceAll((at, values) -> values.stream().sorted().toList());
        assertEquals(expected, listed);
    }

    private static List<String> sectionsOfTheGuide() throws IOException {
        String guide =
                Resources.toString(Resources.getResource(Problem.class, "operations.md"), StandardCharsets.UTF_8);
        return SECTION.matcher(guide)
                .results()
                .map((MatchResult section) -> section.group(1))
                .toList();
    }

    /** All lists of values below a node, sorted, by the pointers to their schemas. */
    private static void collectLists(JsonNode node, String at, Map<String, List<String>> lists) {
        if (node.path("enum").isArray()) {
            lists.put(
                    at,
                    node.path("enum")
                            .valueStream()
                            .map(JsonNode::asText)
                            .sorted()
                            .toList());
        }
        node.properties()
                .forEach(each -> collectLists(
                        each.getValue(),
                        at + "/" + each.getKey().replace("~", "~0").replace("/", "~1"),
                        lists));
        IntStream.range(0, node.isArray() ? node.size() : 0)
                .forEach(i -> collectLists(node.path(i), at + "/" + i, lists));
    }

    /** What a body may say is what the query may say. */
    @Test
    void shouldTakeTheSameParametersInTheBody() {
        Route post = described.route("POST", "/ids/sno").orElseThrow();
        JsonNode content = post.operation().at("/requestBody/content");

        assertEquals(Set.of(FORM_BODY, "application/json"), names(content));
        for (JsonNode media : content) {
            JsonNode properties = described.resolved(media.path("schema")).path("properties");
            assertEquals(post.names("query"), names(properties));
            for (JsonNode parameter : post.parameters()) {
                JsonNode property = described.resolved(
                        properties.path(parameter.path("name").asText()));
                assertTrue(
                        parameter.path("in").asText().equals("path")
                                || withoutDefault(parameter.path("schema")).equals(property),
                        parameter.toString());
            }
        }
    }

    private static JsonNode withoutDefault(JsonNode schema) {
        ObjectNode copy = schema.deepCopy();
        return copy.without("default");
    }

    /** The parameter that one scheme alone has is said to be that scheme's, with its values. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayWhoseAParameterIs(Scheme<?> scheme) {
        Route draw = described.route("GET", "/ids/" + scheme.name()).orElseThrow();

        scheme.parameter().ifPresent(own -> {
            JsonNode parameter = parameter(draw, own.name());
            String description = parameter.path("description").asText();
            assertTrue(description.startsWith("Of " + scheme.name() + " alone: " + own.allowed()), description);
            if (own.values() instanceof Allowed.Range range) {
                assertEquals(range.least(), parameter.at("/schema/minimum").asInt());
                assertEquals(range.most(), parameter.at("/schema/maximum").asInt());
            }
        });
    }

    private static JsonNode parameter(Route route, String name) {
        return route.parameters().stream()
                .filter(parameter -> parameter.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The forms and the text of each scheme, as far as one description of all schemes can tell them. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldSayHowIdsAreWritten(Scheme<?> scheme) {
        String forms = scheme.name() + ": " + String.join(", ", Forms.names(List.of(scheme)));
        List<String> told = routes().stream()
                .filter(route -> route.path().contains("{scheme}"))
                .map(route -> parameter(route, "form").path("description").asText())
                .toList();
        String text = document.at("/components/schemas/IdText/description").asText();

        assertTrue(told.stream().allMatch(description -> description.contains(forms)), forms + " in " + told);
        assertTrue(text.contains(scheme.type().textPattern() + " of " + scheme.name()), text);
    }

    @Test
    void shouldNameTheBoundsThatNoConfigurationPasses() {
        JsonNode text = document.at("/components/schemas/IdText");
        JsonNode count = document.at("/components/schemas/Count");
        Variant transaction = Schemes.named("muid", Schemes.all())
                .parameter()
                .orElseThrow()
                .parse()
                .apply("true");
        int ofTransaction = Schemes.named("muid", Schemes.all()).largestCount(transaction);

        assertEquals(
                Schemes.all().stream()
                        .mapToInt(scheme -> scheme.largestCount(scheme.defaultVariant()))
                        .max()
                        .orElseThrow(),
                count.path("maximum").asInt());
        assertEquals(
                forms().mapToInt(Form::shortest).min().orElseThrow(),
                text.path("minLength").asInt());
        assertEquals(
                forms().mapToInt(Form::longest).max().orElseThrow(),
                text.path("maxLength").asInt());
        assertTrue(
                document.at("/components/parameters/count/description").asText().endsWith(" " + ofTransaction));
        assertEquals(
                Form.CANONICAL,
                document.at("/components/parameters/form/schema/default").asText());
    }

    private static Stream<? extends Form<? extends Id>> forms() {
        return Schemes.all().stream().flatMap(scheme -> Forms.all(scheme).stream());
    }

    /** What other tests know of bad requests is documented; a path that is not documented is none. */
    @ParameterizedTest
    @MethodSource("badRequests")
    void shouldDocumentEveryRefusal(List<String> row) {
        boolean withBody = row.size() == 6;
        String method = row.get(0);
        String path = row.get(1);
        Answered answer = withBody
                ? Answered.to(service.app(), method, path, Map.of("Content-Type", row.get(2)), row.get(3))
                : ask(method, path);

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
        Answered refused = ask("DELETE", route.example());
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

    @Test
    void shouldBeADocumentOfOpenApi() throws IOException {
        List<String> ids = described.routes().stream()
                .map(route -> route.operation().path("operationId").asText())
                .toList();

        assertEquals(List.of(), described.faults());
        assertEquals(List.of(), described.faultsOfSchemas());
        assertEquals(List.of(), described.brokenReferences());
        assertEquals(List.of(), described.unusedComponents());
        assertEquals(Set.copyOf(ids).size(), ids.size(), ids.toString());
        assertTrue(document.at("/info/version").asText().matches("[0-9]+\\.[0-9.]+(-SNAPSHOT)?"));
    }

    @Test
    void shouldShowASampleOfEveryOperation() {
        described.routes().forEach(route -> assertFalse(Described.samples(route).isEmpty(), route.toString()));
    }

    @Test
    void shouldShowExamplesThatAreAsTheirSchemasSay() {
        assertEquals(List.of(), described.wrongExamples());
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
}
