package org.idallocator.service.drawing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedService.class)
class CatalogueTest {
    /** Ten seconds of one slot, and never more than the scheme allows. */
    private static final Map<String, Integer> LARGEST =
            Map.of("sno", 40_960_000, "muid", 10_000_000, "eightbyte", 640_000, "uid60", 10_240, "gid", 100_000_000);

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    /** The bits of an ID are those of its fields, in order, read at the places that the catalogue names. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldDescribeTheScheme(Scheme<?> scheme, RunningService service) {
        JsonNode said = service.app().json("/ids");
        JsonNode catalogue = said.path("schemes");
        assertEquals(
                Schemes.names(),
                catalogue.findValuesAsText("name").stream()
                        .filter(Schemes.names()::contains)
                        .toList());
        JsonNode entry = catalogue.path(Schemes.names().indexOf(scheme.name()));
        boolean leased = scheme.pool().isPresent();
        int next = 0;
        for (JsonNode field : entry.path("fields")) {
            assertTrue(field.at("/bits/0").asInt() >= next, field.toString());
            next = field.at("/bits/1").asInt() + 1;
        }

        assertEquals(scheme.name(), entry.path("name").asText());
        assertEquals(8 * scheme.type().bytes(), next);
        assertEquals(scheme.type().bytes(), entry.path("bytes").asInt());
        assertEquals(scheme.type().textPattern(), entry.at("/text/pattern").asText());
        assertEquals(scheme.type().textLength(), entry.at("/text/length").asInt());
        assertEquals(
                LARGEST.getOrDefault(scheme.name(), 0),
                entry.path("largestCount").asInt());
        assertEquals(scheme.type().fields().size(), entry.path("fields").size());
        assertEquals(scheme.forms().size(), entry.path("forms").size());
        assertEquals(scheme.parameter().isPresent(), entry.path("parameters").size() == 1);
        assertEquals("active", entry.path("state").asText());
        assertEquals(leased, entry.path("leased").asBoolean());
        assertEquals(leased, entry.has("slot"));
        assertEquals(
                leased,
                service.app()
                        .json("/leases")
                        .path("leases")
                        .findValuesAsText("scheme")
                        .contains(scheme.name()));
        assertEquals(
                "{\"embedded\":true,\"root\":\"/id-allocator\"}",
                said.path("zookeeper").toString());
    }
}
