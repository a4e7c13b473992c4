package org.idallocator.service.health;

import io.dropwizard.health.HealthCheckType;
import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import io.dropwizard.health.response.HealthResponse;
import io.dropwizard.health.response.HealthResponseProvider;
import io.dropwizard.health.response.JsonHealthResponseProvider;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpStatus;
import org.idallocator.service.text.Quoted;

/**
 * Answers {@code /health-check} as Dropwizard does, but for requests that name checks. The status is then that of the named
 * checks alone: 200 if all of them pass and the process does not stop, else 503. What no check is called, and what is no type, is
 * refused: Dropwizard would take any other type for {@code ready}, and a supervisor that misspells {@code alive} would end
 * processes that only wait. Thread-safe.
 */
final class NamedChecks implements HealthResponseProvider {
    private static final String NAME = JsonHealthResponseProvider.NAME_QUERY_PARAM;
    private static final String ALL = JsonHealthResponseProvider.ALL_VALUE;
    private static final String TYPE = JsonHealthResponseProvider.CHECK_TYPE_QUERY_PARAM;
    private static final List<String> TYPES = Arrays.stream(HealthCheckType.values())
            .map(type -> type.name().toLowerCase(Locale.ROOT))
            .sorted(Comparator.reverseOrder())
            .toList();
    private static final int OK = 200;
    private static final int UNAVAILABLE = 503;

    private final HealthResponseProvider dropwizards;
    private final HealthStateAggregator states;
    private final BooleanSupplier stopping;

    /**
     * Answers for checks.
     *
     * @param states has the checks by the same names as {@code dropwizards}
     */
    NamedChecks(HealthResponseProvider dropwizards, HealthStateAggregator states, BooleanSupplier stopping) {
        this.dropwizards = dropwizards;
        this.states = states;
        this.stopping = stopping;
    }

    @Override
    public HealthResponse healthResponse(Map<String, Collection<String>> query) {
        mistake(query).ifPresent(detail -> {
            throw new HttpException.RuntimeException(
                    HttpStatus.BAD_REQUEST_400, detail); // the web server answers as Accept says
        });
        return answer(query);
    }

    private Optional<String> mistake(Map<String, Collection<String>> query) {
        Stream<String> types = query.getOrDefault(TYPE, List.of()).stream()
                .filter(type -> TYPES.stream().noneMatch(type::equalsIgnoreCase))
                .map(type -> TYPE + " must be " + String.join(" or ", TYPES) + ": " + Quoted.of(type));
        Stream<String> names = query.getOrDefault(NAME, List.of()).stream()
                .filter(name -> !name.equalsIgnoreCase(ALL)
                        && states.healthStateView(name).isEmpty())
                .map(name -> NAME + " must be " + ALL + " or a check, one of " + known() + ": " + Quoted.of(name));
        return Stream.concat(types, names).findFirst();
    }

    private String known() {
        return states.healthStateViews().stream()
                .map(HealthStateView::getName)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private HealthResponse answer(Map<String, Collection<String>> query) {
        HealthResponse whole = dropwizards.healthResponse(query);
        Collection<String> names = query.getOrDefault(NAME, List.of());
        boolean named = !names.isEmpty() && names.stream().noneMatch(ALL::equalsIgnoreCase);
        int status = named ? status(names) : whole.getStatus();
        return new HealthResponse(status == OK, whole.getMessage() + "\n", whole.getContentType(), status);
    }

    private int status(Collection<String> names) {
        boolean healthy = names.stream()
                .map(states::healthStateView)
                .flatMap(Optional::stream)
                .allMatch(HealthStateView::isHealthy);
        return healthy && !stopping.getAsBoolean() ? OK : UNAVAILABLE;
    }
}
