package org.idallocator.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.idallocator.core.scheme.Schemes;

/** What an OpenAPI document says of a service, and where an answer differs from that. */
final class Described {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final String OTHERS = "default";

    /** Headers that are HTTP's own matter, and not that of a description. */
    private static final Set<String> OF_HTTP = Set.of(
            "date", "vary", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection");

    /** Dropwizard answers this one. */
    static final String HEALTH = "/health-check";

    private final JsonNode document;
    private final List<Route> routes;

    /** Each schema of the document is read once. */
    private final IdentityHashMap<JsonNode, JsonSchema> compiled = new IdentityHashMap<>();

    Described(JsonNode document) {
        this.document = document;
        this.routes = document.path("paths").properties().stream()
                .flatMap(path -> routes(path.getKey(), path.getValue()))
                .toList();
    }

    /**
     * One operation.
     *
     * @param path as the document has it
     * @param parameters those of the path and those of the operation, without references
     */
    record Route(String method, String path, List<JsonNode> parameters, JsonNode operation) {
        private static final String SCHEME = "{scheme}";

        @Override
        public String toString() {
            return method + " " + path;
        }

        /** The path without templates, for the first scheme where it has one. */
        String example() {
            return examples().get(0);
        }

        /** The paths without templates: one, or one for each scheme. */
        List<String> examples() {
            return path.contains(SCHEME)
                    ? Schemes.names().stream().map(this::example).toList()
                    : List.of(example(""));
        }

        /** The path without templates: with the example of each parameter. */
        private String example(String scheme) {
            String example = path.replace(SCHEME, scheme);
            for (JsonNode parameter : parameters) {
                JsonNode ofScheme = parameter.path("examples").path(scheme).path("value");
                JsonNode shown = ofScheme.isMissingNode() ? parameter.path("example") : ofScheme;
                example = example.replace("{" + parameter.path("name").asText() + "}", shown.asText());
            }
            return example;
        }

        /** Whether IDs are drawn. */
        boolean draws() {
            return path.endsWith("/" + SCHEME);
        }

        /** The names of the parameters that are in a place, such as {@code query}. */
        Set<String> names(String place) {
            return parameters.stream()
                    .filter(parameter -> parameter.path("in").asText().equals(place))
                    .map(parameter -> parameter.path("name").asText())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private Stream<Route> routes(String path, JsonNode item) {
        return item.properties().stream()
                .filter(operation -> operation.getValue().has("responses"))
                .map(operation -> new Route(
                        operation.getKey().toUpperCase(Locale.ROOT),
                        path,
                        Stream.of(item, operation.getValue())
                                .flatMap(of -> of.path("parameters").valueStream())
                                .map(this::whole)
                                .toList(),
                        operation.getValue()));
    }

    /** A parameter without references. */
    private JsonNode whole(JsonNode parameter) {
        ObjectNode whole = resolved(parameter).deepCopy();
        whole.set("schema", resolved(whole.path("schema")));
        return whole;
    }

    List<Route> routes() {
        return routes;
    }

    /** Those that this project answers. */
    List<Route> ownRoutes() {
        return routes.stream().filter(route -> !route.path().equals(HEALTH)).toList();
    }

    /** The operation that a request meets. */
    Optional<Route> route(String method, String pathAndQuery) {
        return routes.stream()
                .filter(route -> route.method().equals(method) && matches(route.path(), pathAndQuery))
                .findFirst();
    }

    private static boolean matches(String path, String pathAndQuery) {
        return pathAndQuery.replaceFirst("\\?.*", "").matches(path.replaceAll("\\{[^}]*}", "[^/]+"));
    }

    /** The statuses that are documented by their numbers. */
    Set<String> statuses(Route route) {
        Set<String> statuses = new TreeSet<>();
        route.operation().path("responses").fieldNames().forEachRemaining(statuses::add);
        statuses.remove(OTHERS);
        return statuses;
    }

    /** What is different in an answer from what the document says; empty where nothing is. */
    List<String> differences(Route route, Answered answer) {
        JsonNode responses = route.operation().path("responses");
        if (!responses.has(Integer.toString(answer.status()))) {
            return List.of("a status that is not documented: " + answer.status());
        }
        JsonNode response = resolved(responses.path(Integer.toString(answer.status())));
        List<String> differences = new ArrayList<>();
        response.path("headers").properties().forEach(header -> differences.addAll(header(header, answer)));
        answer.headers().map().keySet().stream()
                .filter(name -> !OF_HTTP.contains(name.toLowerCase(Locale.ROOT)))
                .filter(name -> response.path("headers").properties().stream()
                        .noneMatch(header -> header.getKey().equalsIgnoreCase(name)))
                .forEach(name -> differences.add("a header that is not documented: " + name));
        differences.addAll(body(response.path("content"), answer));
        return differences;
    }

    private List<String> header(Map.Entry<String, JsonNode> header, Answered answer) {
        Optional<String> value = answer.header(header.getKey());
        JsonNode declared = resolved(header.getValue());
        if (value.isEmpty()) {
            return declared.path("required").asBoolean() ? List.of("no " + header.getKey()) : List.of();
        }
        JsonNode schema = declared.path("schema");
        boolean number = schema.path("type").asText().equals("integer");
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return violations(schema, number ? nodes.numberNode(Long.parseLong(value.get())) : nodes.textNode(value.get()));
    }

    private List<String> body(JsonNode content, Answered answer) {
        if (content.isMissingNode()) {
            return answer.body().isEmpty() ? List.of() : List.of("a body that is not documented");
        }
        String type = answer.header("Content-Type").orElse("").replaceFirst(";.*", "");
        if (!content.has(type)) {
            return List.of("a media type that is not documented: " + type);
        }
        return violations(content.path(type).path("schema"), read(type, answer.body()));
    }

    static JsonNode read(String type, String body) {
        try {
            return type.endsWith("json") && !type.endsWith("ndjson")
                    ? MAPPER.readTree(body)
                    : JsonNodeFactory.instance.textNode(body);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + body, e);
        }
    }

    JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** Where a value breaks a schema of the document. A property that the schema does not name breaks it, too. */
    List<String> violations(JsonNode schema, JsonNode value) {
        return messages(compiled.computeIfAbsent(schema, this::compiled), value);
    }

    private JsonSchema compiled(JsonNode schema) {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.set("components", document.path("components").deepCopy());
        whole.set("allOf", JsonNodeFactory.instance.arrayNode().add(schema.deepCopy()));
        closed(whole);
        return SCHEMAS.getSchema(whole);
    }

    private static void closed(JsonNode node) {
        node.forEach(Described::closed);
        if (node instanceof ObjectNode object
                && object.path("properties").isObject()
                && !object.has("additionalProperties")) {
            object.put("additionalProperties", false);
        }
    }

    /**
     * Where the document is none of OpenAPI 3.1, by the schema that the OpenAPI Initiative publishes, or a schema in it is none of JSON
     * Schema 2020-12, which is OpenAPI 3.1's.
     */
    List<String> faults() throws IOException {
        JsonSchema meta = SCHEMAS.getSchema(SchemaLocation.of(SchemaId.V202012));
        List<JsonNode> schemas = new ArrayList<>(document.findValues("schema"));
        document.at("/components/schemas").forEach(schemas::add);
        try (InputStream published = Described.class.getResourceAsStream("/openapi-3.1-schema.json")) {
            List<String> faults = new ArrayList<>(messages(SCHEMAS.getSchema(published), document));
            schemas.forEach(schema -> faults.addAll(messages(meta, schema)));
            return faults;
        }
    }

    private static List<String> messages(JsonSchema schema, JsonNode value) {
        return schema.validate(value).stream().map(ValidationMessage::toString).toList();
    }

    /** References to all components. */
    Set<String> components() {
        return document.path("components")
                .propertyStream()
                .flatMap(kind -> kind.getValue()
                        .propertyStream()
                        .map(component -> "#/components/" + kind.getKey() + "/" + component.getKey()))
                .collect(Collectors.toSet());
    }

    /** Where examples of parameters, answers and bodies break their schemas. */
    List<String> wrongExamples() {
        return document.findParents("schema").stream()
                .flatMap(of -> Stream.concat(
                                Stream.of(of.path("example")), of.path("examples").findValues("value").stream())
                        .filter(example -> !example.isMissingNode())
                        .flatMap(example ->
                                violations(of.path("schema"), example).stream().map(why -> example + ": " + why)))
                .toList();
    }

    /** An example of an answer of a status and type, with {@code ~1} for the slash. */
    JsonNode example(Route route, String answer, String name) {
        String[] parts = answer.split("/", 2);
        return resolved(route.operation().path("responses").path(parts[0]))
                .at("/" + parts[1] + "/examples/" + name + "/value");
    }

    /** The calls of curl that an operation shows. */
    static List<String> samples(Route route) {
        return StreamSupport.stream(route.operation().path("x-codeSamples").spliterator(), false)
                .map(sample -> sample.path("source").asText())
                .toList();
    }
}
