package org.idallocator.service.resources;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ContainerRequest;
import org.idallocator.service.draw.Media;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is made of an Accept without thought is what comes of thinking. */
class NegotiationTest {

    static Stream<Map.Entry<String, Media>> plain() {
        return Stream.concat(
                Negotiation.OF_CLIENTS.entrySet().stream(),
                Stream.of(
                        Map.entry("*/*", Media.TEXT),
                        Map.entry("text/plain", Media.TEXT),
                        Map.entry("application/json", Media.JSON),
                        Map.entry("application/x-ndjson", Media.NDJSON)));
    }

    @ParameterizedTest
    @MethodSource("plain")
    void shouldMakeTheSameOfAnAcceptWithAndWithoutThought(Map.Entry<String, Media> accept) {
        URI anywhere = URI.create("http://localhost/");
        ContainerRequest request =
                new ContainerRequest(anywhere, anywhere, "GET", null, new MapPropertiesDelegate(), null);
        request.header("Accept", accept.getKey());

        assertEquals(accept.getValue(), Negotiation.preferred(request, request));
        assertEquals(Optional.of(accept.getValue()), Negotiation.plain(accept.getKey()));
    }
}
