package org.idallocator.service.health;

import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import io.dropwizard.health.response.HealthResponse;
import io.dropwizard.health.response.HealthResponseProvider;
import io.dropwizard.health.response.JsonHealthResponseProvider;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Answers {@code /health-check} as Dropwizard does, but for requests that name checks. The status is then that of the named
 * checks alone: 200 if all of them pass and the process does not stop, else 503; 404 where there is no check of that name.
 * Thread-safe.
 */
final class NamedChecks implements HealthResponseProvider {
    private static final String NAME = JsonHealthResponseProvider.NAME_QUERY_PARAM;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final HealthResponseProvider dropwizards;
    private final HealthStateAggregator states;
    private final BooleanSupplier stopping;

    /** {@code states} has the checks by the same names as {@code dropwizards}. */
    NamedChecks(HealthResponseProvider dropwizards, HealthStateAggregator states, BooleanSupplier stopping) {
        this.dropwizards = dropwizards;
        this.states = states;
        this.stopping = stopping;
    }

    @Override
    public HealthResponse healthResponse(Map<String, Collection<String>> query) {
        HealthResponse whole = dropwizards.healthResponse(query);
        Collection<String> names = query.getOrDefault(NAME, List.of());
        boolean named =
                !names.isEmpty() && names.stream().noneMatch(JsonHealthResponseProvider.ALL_VALUE::equalsIgnoreCase);
        int status = named ? status(names) : whole.getStatus();
        return new HealthResponse(status == OK, whole.getMessage() + "\n", whole.getContentType(), status);
    }

    private int status(Collection<String> names) {
        List<HealthStateView> found = names.stream()
                .map(states::healthStateView)
                .flatMap(Optional::stream)
                .toList();
        if (found.size() < names.size()) {
            return NOT_FOUND;
        }
        boolean healthy = found.stream().allMatch(HealthStateView::isHealthy);
        return healthy && !stopping.getAsBoolean() ? OK : UNAVAILABLE;
    }
}
