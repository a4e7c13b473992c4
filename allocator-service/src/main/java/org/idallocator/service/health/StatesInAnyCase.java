package org.idallocator.service.health;

import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * The states of all checks, each found by its name in any case. Dropwizard looks for names in lower case, and so finds none that has
 * capitals. Of names that differ in their case alone, one that fails is found first. Thread-safe.
 */
record StatesInAnyCase(HealthStateAggregator states) implements HealthStateAggregator {
    @Override
    public Collection<HealthStateView> healthStateViews() {
        return states.healthStateViews();
    }

    @Override
    public Optional<HealthStateView> healthStateView(String name) {
        return healthStateViews().stream()
                .filter(view -> view.getName().equalsIgnoreCase(name))
                .min(Comparator.comparing(HealthStateView::isHealthy));
    }
}
