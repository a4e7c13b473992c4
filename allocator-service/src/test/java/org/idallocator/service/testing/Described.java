package org.idallocator.service.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.Iterables;
import com.google.common.io.Resources;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.lang3.function.Failable;
import org.idallocator.core.scheme.Schemes;

/** What an OpenAPI document says of a service, and where an answer differs from that. */
public record Described(JsonNode document) {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    /** Headers that are HTTP's own matter, and not that of a description. */
    private static final Set<String> OF_HTTP = Set.of(
            "date", "vary", "content-type", "content-length", "content-encoding", "transfer-encoding", "connection");

    /** Dropwizard answers this one. */
    public static final String HEALTH = "/health-check";

    /**
     * One operation.
     *
     * @param path as the document has it
     * @param parameters by their names, those of the path and those of the operation, without references
     */
    public record Route(String method, String path, JsonNode parameters, JsonNode operation) {
        @Override
        public String toString() {
            return method + " " + path;
        }

        /** The paths without templates: one, or one for each scheme. */
        public List<String> examples() {
            return Schemes.names().stream().map(this::example).distinct().toList();
        }

        /** The path without templates: with the example of each parameter. */
        private String example(String scheme) {
            String example = path.replace("{scheme}", scheme);
            for (JsonNode parameter : parameters) {
                String shown = parameter.path("example").asText();
                String ofScheme = parameter.at("/examples/" + scheme + "/value").asText(shown);
                example = example.replace("{" + parameter.path("name").asText() + "}", ofScheme);
            }
            return example;
        }

        /** The place and name of each parameter, such as {@code query count}. */
        public Set<String> places() {
            return parameters
                    .valueStream()
                    .map(each ->
                            each.path("in").asText() + " " + each.path("name").asText())
                    .collect(Collectors.toSet());
        }

        /** The calls of curl that are shown. */
        public List<String> samples() {
            return operation.path("x-codeSamples").findValuesAsText("source");
        }

        /** The statuses that are documented by their numbers. */
        public Set<String> statuses() {
            Set<String> statuses = names(operation.path("responses"));
            statuses.remove("default");
            return statuses;
        }
    }

    public static Set<String> names(JsonNode node) {
        return node.propertyStream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
    }

    public List<Route> routes() {
        return document.path("paths")
                .propertyStream()
                .flatMap(path -> path.getValue()
                        .propertyStream()
                        .filter(operation -> operation.getValue().has("responses"))
                        .map(operation -> new Route(
                                operation.getKey().toUpperCase(Locale.ROOT),
                                path.getKey(),
                                parameters(path.getValue(), operation.getValue()),
                                operation.getValue())))
                .toList();
    }

    private JsonNode parameters(JsonNode path, JsonNode operation) {
        ObjectNode parameters = NODES.objectNode();
        for (JsonNode parameter : Iterables.concat(path.path("parameters"), operation.path("parameters"))) {
            ObjectNode whole = resolved(parameter).deepCopy();
            whole.set("schema", resolved(whole.path("schema")));
            parameters.set(whole.path("name").asText(), whole);
        }
        return parameters;
    }

    /** Those that this project answers. */
    public List<Route> ownRoutes() {
        return routes().stream().filter(route -> !route.path().equals(HEALTH)).toList();
    }

    /** The operation that a request meets. */
    public Route route(String method, String path) {
        return routes().stream()
                .filter(route -> route.method().equals(method))
                .filter(route -> path.matches(route.path().replaceAll("\\{[^}]*}", "[^/]+")))
                .findFirst()
                .orElseThrow();
    }

    /** What is different in an answer from what the document says; empty where nothing is. */
    public List<String> differences(Route route, Answered answer) {
        JsonNode response = response(route, answer.status());
        if (response.isMissingNode()) {
            return List.of("a status that is not documented: " + answer.status());
        }
        List<String> differences = new ArrayList<>(body(response.path("content"), answer));
        Set<String> others = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        others.addAll(answer.headers().map().keySet());
        OF_HTTP.forEach(others::remove);
        response.path("headers").properties().forEach(header -> {
            JsonNode declared = resolved(header.getValue());
            if (others.remove(header.getKey())) {
                differences.addAll(header(
                        declared.path("schema"), answer.header(header.getKey()).orElseThrow()));
            } else if (declared.path("required").asBoolean()) {
                differences.add("no " + header.getKey());
            }
        });
        others.forEach(name -> differences.add("a header that is not documented: " + name));
        return differences;
    }

    private List<String> header(JsonNode schema, String value) {
        boolean number = schema.path("type").asText().equals("integer");
        return violations(schema, number ? NODES.numberNode(Long.parseLong(value)) : NODES.textNode(value));
    }

    private List<String> body(JsonNode content, Answered answer) {
        if (content.isMissingNode() && answer.body().isEmpty()) {
            return List.of();
        }
        String type = answer.header("Content-Type").orElse("").replaceFirst(";.*", "");
        return content.has(type)
                ? violations(content.path(type).path("schema"), read(type, answer.body()))
                : List.of("a media type that is not documented: " + type);
    }

    public static JsonNode read(String type, String body) {
        return type.matches(".*[/+]json") ? Failable.call(() -> MAPPER.readTree(body)) : NODES.textNode(body);
    }

    private JsonNode response(Route route, int status) {
        return resolved(route.operation().path("responses").path(Integer.toString(status)));
    }

    public JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    /** Where a value breaks a schema of the document. A property that the schema does not name breaks it, too. */
    private List<String> violations(JsonNode schema, JsonNode value) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", document.path("components").deepCopy());
        closed(whole);
        return messages(SCHEMAS.getSchema(whole), value);
    }

    private static void closed(JsonNode node) {
        node.forEach(Described::closed);
        if (node.path("properties").isObject() && !node.has("additionalProperties")) {
            ((ObjectNode) node).put("additionalProperties", false);
        }
    }

    private static List<String> messages(JsonSchema schema, JsonNode value) {
        return schema.validate(value).stream().map(ValidationMessage::toString).toList();
    }

    /**
     * Where the document is none of OpenAPI 3.1, by the schema that the OpenAPI Initiative publishes, a schema in it is
     * none of JSON Schema 2020-12, which is OpenAPI 3.1's, or an example of a parameter, an answer or a body breaks its
     * schema.
     */
    public List<String> faults() {
        JsonSchema meta = SCHEMAS.getSchema(SchemaLocation.of(SchemaId.V202012));
        URL published = Resources.getResource(Described.class, "/openapi-3.1-schema.json");
        List<String> faults = new ArrayList<>(messages(
                SCHEMAS.getSchema(Failable.call(() -> MAPPER.readTree(Resources.toByteArray(published)))), document));
        document.findValues("schema").forEach(schema -> faults.addAll(messages(meta, schema)));
        document.at("/components/schemas").forEach(schema -> faults.addAll(messages(meta, schema)));
        for (JsonNode of : document.findParents("schema")) {
            Stream.concat(Stream.of(of.path("example")), of.path("examples").findValues("value").stream())
                    .filter(example -> !example.isMissingNode())
                    .forEach(example ->
                            violations(of.path("schema"), example).forEach(why -> faults.add(example + ": " + why)));
        }
        return faults;
    }

    /** An example of an answer. */
    public JsonNode example(Route route, int status, String type, String name) {
        JsonNode content = response(route, status).path("content").path(type);
        return content.path("examples").path(name).path("value");
    }
}
