package org.idallocator.service.health;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.dropwizard.health.HealthCheckType;
import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import io.dropwizard.health.response.HealthResponse;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** {@code ReadinessTest} asks a running service; a process that stops cannot be asked there. */
class NamedChecksTest implements HealthStateAggregator {
    private final HealthStateView sno = new HealthStateView("sno", true, HealthCheckType.READY, false);
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final NamedChecks checks =
            new NamedChecks(query -> new HealthResponse(true, "[]", "application/json", 200), this, stopping::get);

    @Override
    public Collection<HealthStateView> healthStateViews() {
        return List.of(sno);
    }

    @Override
    public Optional<HealthStateView> healthStateView(String name) {
        return Optional.of(sno).filter(view -> view.getName().equals(name));
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
}
