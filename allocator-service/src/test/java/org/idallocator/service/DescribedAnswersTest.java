package org.idallocator.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.ProofOnly;
import org.idallocator.service.testing.RunningService;
import org.idallocator.service.testing.SharedService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that tell of ZooKeeper have the shapes that the description names. */
@ExtendWith(SharedService.class)
class DescribedAnswersTest {

    private static List<String> differences(RunningService service, String path) {
        Described described = new Described(service.app().json("/openapi.json"));
        return described.differences(
                described.route("GET", path).orElseThrow(),
                Answered.of(service.app().get(path, "application/json")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ids", "/leases", "/openapi.json", "/health-check?name=all"})
    @ProofOnly("compares whole answers with their descriptions")
    void shouldAnswerAsDescribed(String path, RunningService service) {
        assertEquals(List.of(), differences(service, path));
    }

    static List<Scheme<?>> schemes() {
        return Schemes.all();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldTellOfIdsAsDescribed(Scheme<?> scheme, RunningService service) {
        String path = "/ids/" + scheme.name();
        String id = service.app().get(path).body().strip();

        assertEquals(List.of(), differences(service, path + "/" + id));
        assertEquals(
                scheme.pool().isPresent(),
                service.inspected(path + "/" + id).path("holder").isObject());
    }

    @Test
    void shouldHaveLeasesToTell(RunningService service) {
        assertTrue(service.app().json("/leases").path("leases").size() > 0);
    }
}
