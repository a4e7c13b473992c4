package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedService.class)
class CatalogueTest {

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @Test
    void shouldListEveryServedScheme(RunningService service) {
        assertEquals(
                Schemes.names(),
                service.app().json("/ids").path("schemes").findValuesAsText("name").stream()
                        .filter(Schemes.names()::contains)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldDescribeTheScheme(Scheme<?> scheme, RunningService service) {
        JsonNode entry = entry(service, scheme);

        assertAll(
                () -> assertEquals(scheme.type().bytes(), entry.path("bytes").asInt()),
                () -> assertEquals(
                        scheme.type().textPattern(),
                        entry.path("text").path("pattern").asText()),
                () -> assertEquals(
                        scheme.type().textLength(),
                        entry.path("text").path("length").asInt()),
                () -> assertEquals(largest(scheme), entry.path("largestCount").asInt()),
                () -> assertEquals(scheme.type().fields().size(), entry.path("fields").size()),
                () -> assertEquals(scheme.forms().size(), entry.path("forms").size()),
                () -> assertEquals(
                        scheme.parameter().isPresent() ? 1 : 0,
                        entry.path("parameters").size()),
                () -> assertEquals("active", entry.path("state").asText()),
                () -> assertEquals(
                        scheme.pool().isPresent(), entry.path("leased").asBoolean()),
                () -> assertEquals(scheme.pool().isPresent(), entry.has("slot")));
    }

    /** Ten seconds of one slot, and never more than the scheme allows. */
    private static int largest(Scheme<?> scheme) {
        return switch (scheme.name()) {
            case "sno" -> 40_960_000;
            case "muid" -> 10_000_000;
            case "eightbyte" -> 640_000;
            case "uid60" -> 10_240;
            case "gid" -> 100_000_000;
            default -> throw new AssertionError(scheme.name());
        };
    }

    @Test
    void shouldSayThatAnEmbeddedZooKeeperServesOneMachine(RunningService service) {
        JsonNode zookeeper = service.app().json("/ids").path("zookeeper");

        assertTrue(zookeeper.path("embedded").asBoolean(), zookeeper.toString());
        assertFalse(zookeeper.has("host"), "strangers are not told where");
        assertEquals("/id-allocator", zookeeper.path("root").asText());
    }

    /** The bits of an ID are those of its fields, read at the places that the catalogue names. */
    @ParameterizedTest
    @MethodSource("schemes")
    void shouldPlaceTheFieldsInOrderWithinTheId(Scheme<?> scheme, RunningService service) {
        int next = 0;
        for (JsonNode field : entry(service, scheme).path("fields")) {
            assertTrue(field.path("bits").path(0).asInt() >= next, field.toString());
            next = field.path("bits").path(1).asInt() + 1;
        }
        assertEquals(8 * scheme.type().bytes(), next);
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldShowTheSlotAmongThisReplicasLeases(Scheme<?> scheme, RunningService service) {
        List<String> held = service.app().json("/leases").path("leases").findValuesAsText("scheme");

        assertEquals(scheme.pool().isPresent(), held.contains(scheme.name()));
    }

    private static JsonNode entry(RunningService service, Scheme<?> scheme) {
        for (JsonNode entry : service.app().json("/ids").path("schemes")) {
            if (entry.path("name").asText().equals(scheme.name())) {
                return entry;
            }
        }
        throw new AssertionError("not in the catalogue: " + scheme.name());
    }
}
