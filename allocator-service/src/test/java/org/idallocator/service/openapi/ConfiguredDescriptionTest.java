package org.idallocator.service.openapi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.draw.Counts;
import org.junit.jupiter.api.Test;

/** What a replica is configured for is described, and nothing else. */
class ConfiguredDescriptionTest {
    private static final URI BASE = URI.create("http://localhost:8080/");
    private static final Optional<URI> NOWHERE = Optional.empty();

    private static JsonNode described(Map<String, Map<String, Object>> options, Map<String, Integer> maxCounts)
            throws IOException {
        List<Scheme<?>> schemes = Schemes.configured(options);
        return new ObjectMapper().readTree(new Description(schemes, Counts.of(schemes, maxCounts)).json(BASE, NOWHERE));
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void shouldDescribeTheConfiguredSchemesAlone() throws IOException {
        JsonNode described = described(Map.of("gid", Map.of()), Map.of());

        assertEquals(
                List.of("/ids", "/ids/gid", "/ids/gid/{id}", "/leases", "/problems/{reason}", "/openapi.json"),
                names(described.path("paths")));
    }

    @Test
    void shouldNameTheConfiguredBoundsAndDefaults() throws IOException {
        JsonNode described =
                described(Map.of("gid", Map.of("type", "log"), "uid60", Map.of()), Map.of("gid", 7, "uid60", 10_000));
        JsonNode gid = described.at("/paths/~1ids~1gid/get/parameters");

        assertEquals(7, gid.at("/0/schema/maximum").asInt());
        assertEquals("log", gid.at("/1/schema/default").asText());
    }

    /** GET is never streamed then, while HEAD would not know the length all the same. */
    @Test
    void shouldNotSpeakOfStreamsWhenNoneIsAllowed() throws IOException {
        JsonNode uid60 =
                described(Map.of("uid60", Map.of()), Map.of("uid60", 10_000)).at("/paths/~1ids~1uid60");

        assertEquals(
                List.of("200", "400", "406", "503", "default"),
                names(uid60.at("/get/responses")).stream().sorted().toList());
        assertEquals(
                List.of("200", "400", "406", "426", "503"),
                names(uid60.at("/head/responses")).stream().sorted().toList());
    }

    @Test
    void shouldAnswerEachAddressWithItsOwnSamples() throws IOException {
        List<Scheme<?>> schemes = Schemes.configured(Map.of("sno", Map.of()));
        Description description = new Description(schemes, Counts.of(schemes, Map.of()));
        byte[] first = description.json(BASE, NOWHERE);
        JsonNode below =
                new ObjectMapper().readTree(description.json(URI.create("https://ids.example.com/api/"), NOWHERE));

        assertEquals("/api", below.at("/servers/0/url").asText());
        assertEquals(
                "curl 'https://ids.example.com/api/ids'",
                below.at("/paths/~1ids/get/x-codeSamples/0/source").asText());
        assertArrayEquals(first, description.json(BASE, NOWHERE));
    }

    /** A server has both below one path, and the routes below a further one. */
    @Test
    void shouldDescribeHealthWhereItIs() throws IOException {
        List<Scheme<?>> schemes = Schemes.configured(Map.of("sno", Map.of()));
        JsonNode described = new ObjectMapper()
                .readTree(new Description(schemes, Counts.of(schemes, Map.of()))
                        .json(
                                URI.create("http://localhost:8080/app/api/"),
                                Optional.of(URI.create("http://localhost:8080/app/health-check"))));
        JsonNode health = described.at("/paths/~1app~1health-check");

        assertEquals("/", health.at("/servers/0/url").asText());
        assertEquals(
                "curl 'http://localhost:8080/app/health-check'",
                health.at("/get/x-codeSamples/0/source").asText());
    }

    @Test
    void shouldDescribeTransactionAsTrueOrFalse() throws IOException {
        JsonNode muid = described(Map.of("muid", Map.of()), Map.of()).at("/paths/~1ids~1muid");
        JsonNode transaction = muid.at("/get/parameters/1");

        assertEquals("transaction", transaction.path("name").asText());
        assertEquals("boolean", transaction.at("/schema/type").asText());
        assertEquals(BooleanNode.FALSE, transaction.at("/schema/default"));
        assertEquals(BooleanNode.TRUE, transaction.path("example"));
        assertEquals(
                "boolean",
                muid.at("/post/requestBody/content/application~1json/schema/properties/transaction/type")
                        .asText());
    }

    /** An address is what the client says it is, and a host's name may have such a mark. */
    @Test
    void shouldKeepAnAddressWithinItsMarks() throws IOException {
        List<Scheme<?>> schemes = Schemes.configured(Map.of("sno", Map.of()));
        JsonNode described = new ObjectMapper()
                .readTree(new Description(schemes, Counts.of(schemes, Map.of()))
                        .json(URI.create("http://a';b;'/"), NOWHERE));

        assertEquals(
                "curl 'http://a%27;b;%27/ids'",
                described.at("/paths/~1ids/get/x-codeSamples/0/source").asText());
    }
}
