package org.idallocator.service.http;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dropwizard.health.HealthCheckType;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.generator.MuidGenerator;
import org.idallocator.core.id.GidType;
import org.idallocator.core.id.Id;
import org.idallocator.core.id.IdType.Form;
import org.idallocator.core.scheme.Allowed;
import org.idallocator.core.scheme.MuidScheme;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.dropwizard.decode.Forms;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.ids.IdRequest;
import org.idallocator.dropwizard.ids.Media;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.testing.Http;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.Answered;
import org.idallocator.service.testing.Described;
import org.idallocator.service.testing.Described.Route;
import org.idallocator.service.testing.ObedientApplication;
import org.idallocator.service.testing.RunningService;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.settings.Software;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Version;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The file that describes the routes says what the code has: each route, parameter, value and shape, and no others. And
 * it says what the running service answers: all that is documented occurs, and nothing else does.
 */
class OpenApiTest {
    private static final String PATH = "/openapi.json";
    private static final String JSON = "application/json";
    private static final String FORM_BODY = "application/x-www-form-urlencoded";
    /** Of the year 2079: to schemes other than sno, and to other routes, it says nothing. */
    private static final String LAST_SNO = "xxxxxxxxxxxxxxxx";

    private static final String CURL =
            "curl( -I)?( -H '[^:']+: [^']+'| -d [^' ]+| -d '[^' ]+')* 'http://localhost:8080/[^']*'";

    @SuppressWarnings("NullAway.Init")
    private static RunningService service;

    /** Below a path, and with less patience for bodies. */
    @SuppressWarnings("NullAway.Init")
    private static RunningService hasty;

    @SuppressWarnings("NullAway.Init")
    private static Described described;

    @BeforeAll
    static void start() {
        service = RunningService.start(ObedientApplication.class, "tellWhereabouts=true");
        hasty = RunningService.start(
                ObedientApplication.class, "server.rootPath=/api", "server.applicationConnectors[0].idleTimeout=10s");
        described = new Described(service.app().json(PATH));
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

    private static JsonNode at(String pointer) {
        return described.document().at(pointer);
    }

    private static Answered ask(String method, String path, Map<String, String> headers, String body) {
        return Answered.to(service.app(), method, path, headers, body);
    }

    private static Answered ask(String method, String path) {
        return ask(method, path, Map.of(), "");
    }

    /** The status of an answer that is as described. */
    private static String assertDescribed(Route route, Answered answer) {
        assertEquals(List.of(), described.differences(route, answer), () -> route + " " + answer);
        return Integer.toString(answer.status());
    }

    @Test
    void shouldHaveEveryResourceMethodAndNoOther() {
        String endpoints =
                service.support().getEnvironment().jersey().getResourceConfig().getEndpointsInfo();
        List<String> served = words(endpoints.replaceAll(" +", " "), " ([A-Z]+ /\\S*) \\(");

        assertEquals(
                served.stream().sorted().toList(),
                routes().stream().map(Route::toString).sorted().toList());
    }

    /**
     * Those of the path, and those that the refusal of another one tells. HEAD takes what GET takes, and tells nothing.
     */
    @ParameterizedTest
    @MethodSource("routes")
    void shouldHaveEveryParameterAndNoOther(Route route) {
        Set<String> taken = new TreeSet<>();
        for (String path : route.examples()) {
            String asking = route.method().replace("HEAD", "GET");
            String told = Http.detail(service.app().send(asking, path + "?colour=red", "*/*"));
            Stream.of(told.split("allowed here: ", 2)[1].split(", ")).forEach(name -> taken.add("query " + name));
        }
        taken.remove("query none");
        words(route.path(), "\\{(\\w+)}").forEach(name -> taken.add("path " + name));

        assertEquals(taken, route.places());
    }

    /** Where the file says what the code has as well, and what that is: a text, a number, or a list in any order. */
    static Stream<Arguments> repeated() {
        return Stream.of(repeatedLists(), repeatedNames(), repeatedBounds(), repeatedProblems())
                .flatMap(rows -> rows);
    }

    /** The guide has the reasons of problems. */
    private static Stream<Arguments> repeatedLists() {
        List<String> forms = Forms.names(Schemes.all());
        List<String> reasons = texts(FenceReason.values(), FenceReason::code);
        List<String> problems = new ArrayList<>(reasons);
        problems.addAll(List.of("over-capacity", "ahead", "too-far-ahead", "busy"));
        List<String> asked = texts(HealthCheckType.values(), type -> type.name().toLowerCase(Locale.ROOT));
        return Stream.of(
                arguments("/components/schemas/SchemeName/enum", Schemes.names()),
                arguments("/components/schemas/Form/enum", forms),
                arguments("/components/parameters/form/schema/enum", forms),
                arguments("/components/schemas/Type/enum", texts(GidType.values(), GidType::toString)),
                arguments("/components/schemas/Reason/enum", reasons),
                arguments("/paths/~1problems~1{reason}/get/parameters/0/schema/enum", problems),
                arguments(
                        "/components/schemas/HealthChecks/items/properties/type/enum",
                        texts(HealthCheckType.values(), Enum::name)),
                arguments("/paths/~1health-check/get/parameters/1/schema/enum", asked));
    }

    private static <T> List<String> texts(T[] values, Function<T, String> text) {
        return Arrays.stream(values).map(text).toList();
    }

    private static Stream<Arguments> repeatedNames() {
        MultivaluedMap<String, Object> everywhere = new MultivaluedHashMap<>();
        CommonHeaders.EVERYWHERE.putInto(everywhere);
        Stream<Arguments> ofSchemes = Schemes.all().stream()
                .flatMap(scheme -> scheme.parameter().stream())
                .map(own -> arguments("/components/parameters/" + own.name() + "/name", own.name()));
        return Stream.concat(
                ofSchemes,
                Stream.of(
                        arguments("/info/version", Software.VERSION),
                        arguments("/components/parameters/count/name", IdRequest.COUNT),
                        arguments("/components/parameters/form/name", Forms.PARAMETER),
                        arguments("/components/parameters/after/name", IdRequest.AFTER),
                        arguments("/components/parameters/form/schema/default", Form.CANONICAL),
                        arguments("/paths/~1ids~1{scheme}~1{id}/get/parameters/2/name", Forms.PARAMETER),
                        arguments("/components/schemas/TransactionIds/properties/scheme/const", MuidScheme.NAME),
                        arguments(
                                "/paths/~1problems~1{reason}/get/parameters/0/example",
                                FenceReason.NO_FREE_SLOT.code()),
                        arguments(
                                "/components/headers/Cache-Control/schema/const",
                                everywhere.getFirst(HttpHeaders.CACHE_CONTROL))));
    }

    /** Those that no configuration passes. */
    private static Stream<Arguments> repeatedBounds() {
        List<Form<? extends Id>> forms = new ArrayList<>();
        Schemes.all().forEach(scheme -> forms.addAll(Forms.all(scheme)));
        IntStream counts = Schemes.all().stream().mapToInt(scheme -> scheme.largestCount(scheme.defaultVariant()));
        IntStream shortest = forms.stream().mapToInt(Form::shortest);
        IntStream longest = forms.stream().mapToInt(Form::longest);
        return Stream.of(
                arguments("/components/schemas/Count/maximum", counts.max().orElseThrow()),
                arguments("/components/schemas/IdText/minLength", shortest.min().orElseThrow()),
                arguments("/components/schemas/IdText/maxLength", longest.max().orElseThrow()));
    }

    /** Of the problems that no scheme's state makes; shouldShowEveryReason has the others. */
    private static Stream<Arguments> repeatedProblems() {
        return Map.of(
                        "busy", ProblemType.BUSY,
                        "over-capacity", ProblemType.OVER_CAPACITY,
                        "ahead", ProblemType.AHEAD,
                        "too-far-ahead", ProblemType.TOO_FAR_AHEAD)
                .entrySet()
                .stream()
                .flatMap(shown -> {
                    ProblemType type = shown.getValue();
                    String example = "/components/responses/" + type.status()
                            + "/content/application~1problem+json/examples/" + shown.getKey() + "/value/";
                    return Stream.of(
                            arguments(example + "type", type.urn()),
                            arguments(example + "title", type.title()),
                            arguments(example + "status", type.status()));
                });
    }

    /** Whoever changes one of these in the code is told where the file has it. */
    @ParameterizedTest
    @MethodSource("repeated")
    void shouldSayTheSameAsTheCode(String pointer, Object constant) {
        JsonNode said = at(pointer);
        if (constant instanceof List<?> values) {
            assertEquals(
                    values.stream().sorted().toList(),
                    said.valueStream().map(JsonNode::asText).sorted().toList());
        } else {
            assertEquals(constant.toString(), said.asText());
        }
    }

    @Test
    void shouldListNoValuesThatNobodyCompares() {
        assertEquals(
                repeatedLists().count(), described.document().findValues("enum").size());
    }

    /** What a body may say is what the query may say. */
    @Test
    void shouldTakeTheSameParametersInTheBody() {
        Route post = described.route("POST", "/ids/sno");
        JsonNode content = post.operation().at("/requestBody/content");
        ObjectNode inQuery = JsonNodeFactory.instance.objectNode();
        for (String name : Described.names(post.parameters())) {
            ObjectNode schema = post.parameters().path(name).path("schema").deepCopy();
            schema.remove("default");
            inQuery.set(name, schema);
        }
        inQuery.remove("scheme");

        assertEquals(Set.of(FORM_BODY, JSON), Described.names(content));
        for (JsonNode type : content) {
            ObjectNode inBody =
                    described.resolved(type.path("schema")).path("properties").deepCopy();
            Described.names(inBody).forEach(name -> inBody.set(name, described.resolved(inBody.path(name))));
            assertEquals(inQuery, inBody);
        }
    }

    /**
     * The parameter of one scheme alone with its values, the forms and the text, as far as one description of all
     * schemes can tell them.
     */
    @ParameterizedTest
    @MethodSource("org.idallocator.core.scheme.Schemes#all")
    void shouldSayWhoseAParameterIsAndHowIdsAreWritten(Scheme<?> scheme) {
        String forms = scheme.name() + ": " + String.join(", ", Forms.names(List.of(scheme)));
        String text = at("/components/schemas/IdText/description").asText();

        scheme.parameter().ifPresent(own -> {
            JsonNode said = at("/components/parameters/" + own.name());
            String description = said.path("description").asText();
            assertTrue(description.startsWith("Of " + scheme.name() + " alone: " + own.allowed()), description);
            if (own.values() instanceof Allowed.Range range) {
                JsonNode schema = described.resolved(said.path("schema"));
                assertEquals(range.least(), schema.path("minimum").asInt());
                assertEquals(range.most(), schema.path("maximum").asInt());
            }
        });
        for (Route route : routes()) {
            String form = route.parameters().at("/form/description").asText();
            assertTrue(!route.path().contains("{scheme}") || form.contains(forms), form);
        }
        assertTrue(text.contains(scheme.type().textPattern() + " of " + scheme.name()), text);
    }

    @Test
    void shouldNameTheBoundsInItsSentences() {
        MuidScheme muid = new MuidScheme();
        String count = at("/components/parameters/count/description").asText();
        String ids = at("/components/responses/ids/description").asText();

        assertTrue(count.endsWith(" " + muid.largestCount(MuidGenerator.TRANSACTION)), count);
        assertTrue(ids.startsWith("IDs, all or none up to " + IdRequest.LARGEST_WHOLE + ";"), ids);
    }

    @Test
    void shouldAnswerIdsInTheMediaTypesThatThereAre() {
        Set<String> types = Arrays.stream(Media.values()).map(Media::mediaType).collect(Collectors.toSet());

        assertEquals(types, Described.names(at("/components/responses/ids/content")));
    }

    @Test
    void shouldBeADocumentOfOpenApi() {
        Set<String> ids = Set.copyOf(described.document().findValuesAsText("operationId"));
        Set<String> components = new TreeSet<>();
        for (String kind : Described.names(at("/components"))) {
            String of = "/components/" + kind;
            Described.names(at(of)).forEach(name -> components.add("#" + of + "/" + name));
        }

        assertEquals(List.of(), described.faults());
        assertEquals(components, Set.copyOf(described.document().findValuesAsText("$ref")));
        assertEquals(described.routes().size(), ids.size(), ids.toString());
        assertTrue(at("/info/version").asText().matches("[0-9]+\\.[0-9.]+(-SNAPSHOT)?"));
    }

    /**
     * The addresses are relative, so that they are right for clients behind a proxy that takes away the beginning of
     * paths, too.
     */
    @ParameterizedTest
    @CsvSource({"/, /api", "/app, /", "/app, /api/v1"})
    void shouldNameTheServerByWhereTheDescriptionIs(String context, String root) {
        try (RunningService below = RunningService.start(
                ObedientApplication.class, "server.applicationContextPath=" + context, "server.rootPath=" + root)) {
            String at = (context + "/" + root + PATH).replaceAll("/+", "/");
            assertEquals(described.document(), below.app().json(at));
            for (Route route : described.routes()) {
                JsonNode own = at("/paths").path(route.path());
                JsonNode servers = (own.has("servers") ? own : described.document()).path("servers");
                List<Integer> statuses = servers.findValuesAsText("url").stream()
                        .map(url -> URI.create(at).resolve(url).toString().replaceFirst("/$", ""))
                        .map(url -> below.app().status(url + route.examples().get(0)))
                        .toList();
                boolean notReady = route.path().equals(Described.HEALTH) && statuses.contains(503);
                assertTrue(statuses.contains(200) || notReady, route + " " + statuses);
            }
        }
    }

    /**
     * Every operation is asked for everything that some operation may refuse; where it has a scheme, of each scheme.
     */
    @ParameterizedTest
    @MethodSource("routes")
    @ProofOnly("asks for each answer that the description has")
    void shouldAnswerAsDocumentedAndInNoOtherWay(Route route) {
        Set<String> occurred = new TreeSet<>(Set.of("503")); // LimitsTest has each route refuse those who are too many
        for (String path : route.examples()) {
            answers(route, path).forEach(answer -> occurred.add(assertDescribed(route, answer)));
        }
        String slow = route.method() + " /api" + route.examples().get(0) + " HTTP/1.1\r\nHost: localhost\r\n"
                + "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
        occurred.add(assertDescribed(route, Answered.ofRaw(hasty.app().raw(slow))));
        assertEquals(route.statuses(), occurred);
    }

    private static List<Answered> answers(Route route, String path) {
        String method = route.method();
        Map<String, String> form = Map.of("Content-Type", FORM_BODY);
        List<Answered> answers = new ArrayList<>();
        for (String accept : List.of("text/plain", JSON, "application/x-ndjson", "image/png")) {
            answers.add(ask(method, path, Map.of("Accept", accept), ""));
        }
        answers.add(ask(method, path));
        answers.add(ask(method, route.path().replaceAll("\\{[^}]*}", "nope")));
        answers.add(ask(method, path + "?after=" + LAST_SNO));
        answers.add(ask(method, path + "?colour=red"));
        answers.add(ask(method, path + "?colour=red", Map.of("Accept", "text/plain"), ""));
        answers.add(ask(method, path, form, "form=canonical"));
        answers.add(ask(method, path, form, "&".repeat(9_000)));
        answers.add(ask(method, path, Map.of("Content-Type", "image/png"), "form=canonical"));
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
        Route route = described.route("GET", path);

        for (RunningService of : List.of(service, hasty)) {
            source(of).hold(held);
            Answered answer = Answered.to(of.app(), "GET", (of == hasty ? "/api" : "") + path, Map.of(), "");
            assertTrue(answer.body().contains("\"0017\""), answer.body());
            assertEquals(of == service, answer.body().contains(nonce), answer.body());
            assertDescribed(route, answer);
        }
    }

    /** Dropwizard answers there; a check takes a moment to notice. */
    @Test
    void shouldAnswerForHealthAsDocumentedAndInNoOtherWay() {
        Route health = described.route("GET", Described.HEALTH);
        Set<String> occurred = new TreeSet<>();
        service.awaitReady();
        for (String query :
                List.of("", "?name=all", "?name=sno&name=muid", "?type=alive", "?name=nope", "?type=nope")) {
            occurred.add(assertDescribed(health, ask("GET", Described.HEALTH + query)));
        }
        source(service).fenceAll(FenceReason.DEADLINE_PASSED);
        await().until(() -> service.app().status(Described.HEALTH) == 503);
        for (String query : List.of("", "?name=all", "?name=sno", "?type=ready")) {
            occurred.add(assertDescribed(health, ask("GET", Described.HEALTH + query)));
        }

        assertEquals(health.statuses(), occurred);
        assertEquals(Set.of("query name", "query type"), health.places());
        assertEquals(405, ask("POST", Described.HEALTH).status());
    }

    @Test
    void shouldAnswerWhenASampleIsPasted() {
        service.awaitReady();
        for (Route route : described.routes()) {
            assertFalse(route.samples().isEmpty(), route.toString());
            for (String sample : route.samples()) {
                Answered answer = paste(sample);
                assertEquals("200", assertDescribed(route, answer), sample);
                if (route.path().endsWith("{id}")) {
                    JsonNode said = Described.read(JSON, answer.body());
                    String scheme = said.path("scheme").asText();
                    assertEquals(described.example(route, 200, JSON, scheme), said);
                }
            }
        }
    }

    /** What curl would send. */
    private static Answered paste(String sample) {
        assertTrue(sample.matches(CURL), sample);
        List<String> data = words(sample, " -d '?([^' ]*)");
        Map<String, String> headers = words(sample, " -H '([^']*)").stream()
                .map(header -> header.split(": ", 2))
                .collect(Collectors.toMap(header -> header[0], header -> header[1]));
        if (!data.isEmpty()) {
            headers.putIfAbsent("Content-Type", FORM_BODY);
        }
        String method = sample.startsWith("curl -I ") ? "HEAD" : data.isEmpty() ? "GET" : "POST";
        String path = words(sample, " 'http://localhost:8080(/[^']*)").get(0);
        return ask(method, path, headers, String.join("&", data));
    }

    private static List<String> words(String text, String pattern) {
        Stream<MatchResult> words = Pattern.compile(pattern).matcher(text).results();
        return words.map(word -> word.group(1)).toList();
    }

    /** What keeps a scheme from serving is an example of the answer that tells it. */
    @Test
    void shouldShowEveryReason() {
        Route route = described.route("GET", "/ids/sno");
        for (FenceReason reason : FenceReason.values()) {
            source(service).fence("sno", reason);
            JsonNode shown = described.example(route, 503, "application/problem+json", reason.code());
            assertEquals(shown, Http.json(service.app().get("/ids/sno")));
        }
    }
}
