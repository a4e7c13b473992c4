package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.health.HealthCheckType;
import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import io.dropwizard.health.response.HealthResponse;
import io.dropwizard.health.response.JsonHealthResponseProvider;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ReadinessTest} asks a running service; a process that stops cannot be asked there. */
class NamedChecksTest implements HealthStateAggregator {
    private final HealthStateView sno = new HealthStateView("sno", true, HealthCheckType.READY, false);
    private final HealthStateView database = new HealthStateView("Database", true, HealthCheckType.READY, false);
    private final HealthStateView shadow = new HealthStateView("shadow", true, HealthCheckType.READY, false);
    private final HealthStateView failing = new HealthStateView("Shadow", false, HealthCheckType.READY, false);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final HealthStateAggregator inAnyCase = new StatesInAnyCase(this);
    private final NamedChecks checks = new NamedChecks(
            new JsonHealthResponseProvider(type -> true, inAnyCase, new ObjectMapper()), inAnyCase, stopping::get);

    @Override
    public Collection<HealthStateView> healthStateViews() {
        return List.of(sno, database, shadow, failing);
    }

    @Override
    public Optional<HealthStateView> healthStateView(String name) {
        return healthStateViews().stream()
                .filter(view -> view.getName().equals(name))
                .findFirst();
    }

    private int status(String name) {
        return checks.healthResponse(Map.of("name", List.of(name))).getStatus();
    }

    @Test
    void shouldFailWhileTheProcessStopsAlthoughTheSchemeServes() {
        assertEquals(200, status("sno"));

        stopping.set(true);
        assertEquals(503, status("sno"));
    }

    @Test
    void shouldLeaveRequestsForAllToDropwizard() {
        stopping.set(true);

        assertEquals(200, status("all"));
        assertEquals(200, checks.healthResponse(Map.of()).getStatus());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Database", "database", "DATABASE"})
    void shouldFindAProgramsOwnCheckWhoseNameHasCapitals(String name) {
        HealthResponse response = checks.healthResponse(Map.of("name", List.of(name)));

        assertEquals(200, response.getStatus());
        assertTrue(String.valueOf(response.getMessage()).contains("\"name\":\"Database\""), response.getMessage());
    }

    @Test
    void shouldFindTheOneThatFailsOfNamesThatDifferInCaseAlone() {
        assertEquals(503, status("shadow"));
        assertEquals(503, status("Shadow"));
    }

    @Test
    void shouldNameTheProgramsOwnChecksWhereThereIsNoneOfTheName() {
        HttpException.RuntimeException refused =
                assertThrows(HttpException.RuntimeException.class, () -> status("data"));

        assertEquals(400, refused.getCode());
        assertEquals("name must be all or a check, one of Database, Shadow, shadow, sno: data", refused.getReason());
    }
}
