package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.io.Resources;
import com.sun.net.httpserver.HttpServer;
import io.dropwizard.health.HealthCheckType;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.glassfish.jersey.model.Parameter.Source;
import org.glassfish.jersey.server.ExtendedResourceContext;
import org.glassfish.jersey.server.model.Parameter;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.glassfish.jersey.servlet.ServletContainer;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.Variant;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Allowed;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.Described.Route;
import org.idallocator.service.api.Catalogue;
import org.idallocator.service.api.Inspection;
import org.idallocator.service.api.Json;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.decode.Forms;
import org.idallocator.service.ids.Media;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.ObedientSource;
import org.idallocator.service.testing.RunningService;
import org.jspecify.annotations.Nullable;
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
    private static final Pattern ALLOWED_HERE = Pattern.compile("allowed here: (.*)");
    private static final Pattern SECTION = Pattern.compile("(?m)^### ([a-z-]+)$");
    private static final Set<Source> SENT =
            Set.of(Source.PATH, Source.QUERY, Source.HEADER, Source.COOKIE, Source.MATRIX);

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

    /** By method and path, where each parameter of a resource method, or of an operation of the file, is. */
    @Test
    void shouldHaveEveryResourceMethodAndNoOther() {
        Map<String, Set<String>> served = new TreeMap<>();
        methods().forEach(method -> served.put(method.getHttpMethod() + " " + path(method.getParent()), sent(method)));
        Map<String, Set<String>> said = new TreeMap<>();
        routes().forEach(route -> said.put(route.toString(), places(route)));

        assertEquals(served, said);
    }

    private static Stream<ResourceMethod> methods() {
        ServletContainer jersey = (ServletContainer)
                Objects.requireNonNull(service.support().getEnvironment().getJerseyServletContainer());
        return jersey
                .getApplicationHandler()
                .getInjectionManager()
                .getInstance(ExtendedResourceContext.class)
                .getResourceModel()
                .getRootResources()
                .stream()
                .flatMap(OpenApiTest::withChildren)
                .flatMap(resource -> resource.getAllMethods().stream())
                .filter(method -> !method.isExtended()); // Jersey itself answers those
    }

    private static Stream<Resource> withChildren(Resource resource) {
        return Stream.concat(
                Stream.of(resource), resource.getChildResources().stream().flatMap(OpenApiTest::withChildren));
    }

    private static String path(@Nullable Resource resource) {
        return resource == null
                ? ""
                : path(resource.getParent()) + "/" + resource.getPath().replaceFirst("^/", "");
    }

    /** What the method's path and its declaration name, and what it says itself when it refuses a parameter. HEAD takes what GET takes. */
    private static Set<String> sent(ResourceMethod method) {
        Set<String> sent = new TreeSet<>();
        Pattern.compile("\\{([^}]*)}")
                .matcher(path(method.getParent()))
                .results()
                .forEach(name -> sent.add("path " + name.group(1)));
        declared(method.getInvocable().getParameters())
                .filter(parameter -> SENT.contains(parameter.getSource()))
                .forEach(parameter -> sent.add(
                        parameter.getSource().name().toLowerCase(Locale.ROOT) + " " + parameter.getSourceName()));
        String asking = method.getHttpMethod().equals("HEAD") ? "GET" : method.getHttpMethod();
        routes().stream()
                .filter(route -> route.toString().equals(asking + " " + path(method.getParent())))
                .flatMap(route -> route.examples().stream())
                .flatMap(path -> allowed(ask(asking, path + "?colour=red")))
                .forEach(name -> sent.add("query " + name));
        return sent;
    }

    private static Stream<Parameter> declared(Iterable<? extends Parameter> parameters) {
        List<Parameter> all = new ArrayList<>();
        parameters.forEach(parameter -> {
            all.add(parameter);
            if (parameter instanceof Parameter.BeanParameter bean) {
                declared(bean.getParameters()).forEach(all::add);
            }
        });
        return all.stream();
    }

    /** The names that the refusal of an unknown parameter tells. */
    private static Stream<String> allowed(Answered refused) {
        Matcher told = ALLOWED_HERE.matcher(Described.read("application/json", refused.body())
                .path("detail")
                .asText());
        assertTrue(told.find(), refused.body());
        return told.group(1).equals("none")
                ? Stream.of()
                : Stream.of(told.group(1).split(", "));
    }

    private static Set<String> places(Route route) {
        return route.parameters().stream()
                .map(parameter -> parameter.path("in").asText() + " "
                        + parameter.path("name").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldHaveTheMediaTypesOfEveryResourceMethod() {
        for (ResourceMethod method : methods().toList()) {
            Route route = described
                    .route(method.getHttpMethod(), path(method.getParent()))
                    .orElseThrow();
            Set<String> said = names(
                    described.resolved(route.operation().at("/responses/200")).path("content"));
            Set<String> produced = method.getProducedTypes().stream()
                    .map(type -> type.getType() + "/" + type.getSubtype())
                    .collect(Collectors.toCollection(TreeSet::new));
            if (route.draws()) {
                Arrays.stream(Media.values()).map(Media::mediaType).forEach(produced::add);
            }

            assertEquals(method.getHttpMethod().equals("HEAD") ? Set.of() : produced, said, route.toString());
        }
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
                Schemes.all().stream().mapToInt(scheme -> scheme.largestCount(scheme.defaultVariant())).max().orElseThrow(),
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

    /** Each value of the file is taken by the schemes that have it, and by no others; HEAD reads all parameters and draws nothing. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldTakeWhatTheParametersAllowAndNoMore(Scheme<?> scheme) {
        Route probe = described.route("HEAD", "/ids/" + scheme.name()).orElseThrow();
        int largest = service.app()
                .json("/ids")
                .path("schemes")
                .valueStream()
                .filter(entry -> entry.path("name").asText().equals(scheme.name()))
                .findFirst()
                .orElseThrow()
                .path("largestCount")
                .asInt();

        shouldTake(scheme, "count", "1", true);
        shouldTake(scheme, "count", Integer.toString(largest), true);
        shouldTake(scheme, "count", "0", false);
        shouldTake(scheme, "count", Integer.toString(largest + 1), false);
        for (JsonNode parameter : probe.parameters()) {
            String name = parameter.path("name").asText();
            if (name.equals("form")) {
                parameter
                        .at("/schema/enum")
                        .forEach(form -> shouldTake(
                                scheme,
                                name,
                                form.asText(),
                                Forms.names(List.of(scheme)).contains(form.asText())));
            } else if (!name.equals("count") && !name.equals("scheme")) {
                boolean own = scheme.parameter()
                        .filter(has -> has.name().equals(name))
                        .isPresent();
                values(parameter.path("schema")).forEach(value -> shouldTake(scheme, name, value, own));
            }
            if (!name.equals("scheme")) {
                shouldTake(scheme, name, "nonsense", false);
            }
        }
    }

    /** All values of a schema, or the bounds of a range. */
    private static Stream<String> values(JsonNode schema) {
        return switch (schema.path("type").asText()) {
            case "boolean" -> Stream.of("true", "false");
            case "integer" ->
                Stream.of(
                        schema.path("minimum").asText(), schema.path("maximum").asText());
            default -> schema.path("enum").valueStream().map(JsonNode::asText);
        };
    }

    private static void shouldTake(Scheme<?> scheme, String name, String value, boolean taken) {
        String path = "/ids/" + scheme.name() + "?" + name + "=" + value;

        assertEquals(taken ? 200 : 400, ask("HEAD", path).status(), path);
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

    /** What every operation refuses has a status of its own. */
    @ParameterizedTest
    @MethodSource("routes")
    void shouldDocumentWhatIsRefusedEverywhere(Route route) {
        List<Answered> answers = new ArrayList<>();
        answers.add(Answered.to(service.app(), route.method(), route.example(), Map.of("Accept", "image/png"), ""));
        answers.add(Answered.to(
                service.app(), route.method(), route.example(), Map.of("Content-Type", FORM_BODY), "&".repeat(9_000)));
        answers.add(ask(route.method(), route.example() + "?colour=red"));
        answers.add(ask(route.method(), route.path().replaceAll("\\{[^}]*}", "nope")));
        source().fenceAll(FenceReason.DEADLINE_PASSED);
        answers.add(ask(route.method(), route.example()));

        answers.forEach(answer -> assertEquals(List.of(), described.differences(route, answer)));
        assertTrue(described.statuses(route).contains("503"), "limits.requests are for all of them");
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

    /** All records of the answers. */
    static Stream<Class<?>> shapes() {
        return Stream.of(Catalogue.class, Inspection.class, LeaseList.class, Problem.class)
                .flatMap(OpenApiTest::within)
                .distinct();
    }

    /** A record, and those in it. */
    private static Stream<Class<?>> within(Class<?> record) {
        return Stream.concat(
                Stream.of(record),
                Arrays.stream(record.getRecordComponents())
                        .flatMap(component -> classes(component.getGenericType()))
                        .filter(Class::isRecord)
                        .flatMap(OpenApiTest::within));
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof ParameterizedType generic) {
            return Arrays.stream(generic.getActualTypeArguments()).flatMap(OpenApiTest::classes);
        }
        return type instanceof Class<?> plain ? Stream.of(plain) : Stream.empty();
    }

    /** A property is required where everybody is always told it. */
    @ParameterizedTest
    @MethodSource("shapes")
    void shouldHaveEveryPropertyOfAnAnswer(Class<?> shape) {
        JsonNode schema = document.at("/components/schemas/" + shape.getSimpleName());
        SerializationConfig config = Json.get().getSerializationConfig();
        BeanDescription jacksons = config.introspect(config.constructType(shape));
        Set<String> written = jacksons.findProperties().stream()
                .map(BeanPropertyDefinition::getName)
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(written, names(schema.path("properties")));
        written.removeIf(name -> !isPublic(shape, name) || isLeftOut(shape, name));
        assertEquals(
                written,
                schema.path("required")
                        .valueStream()
                        .map(JsonNode::asText)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    private static boolean isPublic(Class<?> shape, String name) {
        Class<?> mixIn = new Visibility(false).mapper().findMixInClassFor(shape);
        return mixIn == null
                || List.of(mixIn.getAnnotation(JsonIncludeProperties.class).value())
                        .contains(name);
    }

    /** Whether the JSON has no such property when there is nothing to say. */
    private static boolean isLeftOut(Class<?> shape, String name) {
        return Arrays.stream(shape.getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .anyMatch(component -> component.getType() == Optional.class
                        || component.getAccessor().isAnnotationPresent(JsonInclude.class)
                        || (shape.isAnnotationPresent(JsonInclude.class) && isNullable(component)));
    }

    private static boolean isNullable(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
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

    /** The addresses are right for a client who comes through a proxy that takes away the beginning of paths. */
    @ParameterizedTest
    @CsvSource({"/, /api", "/app, /", "/app, /api/v1"})
    void shouldNameTheServerByWhereTheDescriptionIs(String context, String root) throws IOException {
        try (RunningService below = RunningService.start(
                ObedientApplication.class, "server.applicationContextPath=" + context, "server.rootPath=" + root)) {
            HttpServer proxy = proxy(below);
            String asked = ("/proxied" + context + "/" + root + PATH).replaceAll("/+", "/");
            URI description =
                    URI.create("http://localhost:" + proxy.getAddress().getPort() + asked);
            try {
                JsonNode said = Described.read(
                        "application/json", get(below, description).body());
                assertEquals(document, said);
                new Described(said)
                        .routes().stream()
                                .filter(route -> route.method().equals("GET"))
                                .forEach(route -> shouldBeThere(route, description, below));
            } finally {
                proxy.stop(0);
            }
        }
    }

    private static void shouldBeThere(Route route, URI description, RunningService below) {
        JsonNode own = document.path("paths").path(route.path()).path("servers");
        List<Integer> statuses = (own.isMissingNode() ? document.path("servers") : own)
                .valueStream()
                .map(server -> description.resolve(server.path("url").asText()))
                .map(server -> URI.create(server.toString().replaceFirst("/$", "") + route.example()))
                .map(uri -> get(below, uri).statusCode())
                .toList();

        boolean notReady = route.path().equals(Described.HEALTH) && statuses.contains(503);
        assertTrue(statuses.contains(200) || notReady, route + " " + statuses);
    }

    private static HttpResponse<String> get(RunningService service, URI uri) {
        return service.app().send(service.app().request("").uri(uri));
    }

    private static HttpServer proxy(RunningService service) throws IOException {
        HttpServer proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        proxy.createContext("/proxied", exchange -> {
            String path = exchange.getRequestURI().toString().replaceFirst("^/proxied", "");
            HttpResponse<String> answer = service.app().get(path);
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.statusCode(), body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        proxy.start();
        return proxy;
    }
}
