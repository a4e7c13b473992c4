package org.idallocator.dropwizard.health;

import com.codahale.metrics.health.HealthCheck;
import com.codahale.metrics.health.HealthCheckRegistry;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthCheckConfiguration;
import io.dropwizard.health.HealthCheckType;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.health.HealthStateAggregator;
import io.dropwizard.health.HealthStateView;
import io.dropwizard.health.Schedule;
import io.dropwizard.health.response.HealthResponse;
import io.dropwizard.health.response.HealthResponseProvider;
import io.dropwizard.health.response.HealthResponseProviderFactory;
import io.dropwizard.health.response.JsonHealthResponseProvider;
import io.dropwizard.health.response.JsonHealthResponseProviderFactory;
import io.dropwizard.util.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.util.thread.ShutdownThread;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdSource;

/**
 * The allocator's health checks. {@code leases} is critical and tells whether the replica is ready. Each scheme, gid
 * included, has a check of its own, which fails during a drain. These begin as failed. {@code lease-thread} tells
 * whether the process is alive, and begins as passed. For {@code /health-check} all of them run every quarter of a
 * second, so that a fence shows within a second.
 */
public final class HealthSetup {
    private static final String READINESS = "leases";
    private static final String LIVENESS = "lease-thread";
    private static final Duration INTERVAL = Duration.milliseconds(250);

    private HealthSetup() {}

    /**
     * Schedules the checks for {@code /health-check}, except for checks that an operator has configured. Has a request
     * that names checks answered by the state of those checks alone, unless an operator has configured another kind of
     * answer.
     *
     * @param schemes the names of the schemes that are served
     */
    public static void configure(DefaultHealthFactory factory, List<String> schemes) {
        schedule(factory, READINESS, HealthCheckType.READY, true);
        schedule(factory, LIVENESS, HealthCheckType.ALIVE, true);
        schemes.forEach(scheme -> schedule(factory, scheme, HealthCheckType.READY, false));
        HealthResponseProviderFactory answers = factory.getHealthResponseProviderFactory();
        if (answers.getClass() == JsonHealthResponseProviderFactory.class) {
            factory.setHealthResponseProviderFactory((checker, states, mapper) -> {
                HealthResponseProvider whole = answers.build(checker, states, mapper);
                return query -> answer(whole.healthResponse(query), query, states);
            });
        }
    }

    /**
     * Dropwizard's answer. If the request names checks, the status is 200 if all of these pass and the process is not
     * stopping, else 503.
     */
    private static HealthResponse answer(
            HealthResponse whole, Map<String, Collection<String>> query, HealthStateAggregator states) {
        Collection<String> names = query.getOrDefault(JsonHealthResponseProvider.NAME_QUERY_PARAM, List.of());
        boolean all = names.isEmpty() || names.contains(JsonHealthResponseProvider.ALL_VALUE);
        boolean named = !ShutdownThread.getInstance().isAlive()
                && names.stream()
                        .map(states::healthStateView)
                        .allMatch(state ->
                                state.filter(HealthStateView::isHealthy).isPresent());
        boolean healthy = all ? whole.isHealthy() : named;
        return new HealthResponse(healthy, whole.getMessage() + "\n", whole.getContentType(), healthy ? 200 : 503);
    }

    /**
     * How long a replica that is being drained says that it is not ready, before it refuses anybody: as long as a
     * replica that stops does. Zero if a replica that stops does not say so.
     *
     * @param health the program's section {@code health}
     */
    public static java.time.Duration drainNotice(Optional<HealthFactory> health) {
        return health.filter(DefaultHealthFactory.class::isInstance)
                .map(DefaultHealthFactory.class::cast)
                .filter(factory -> factory.isEnabled() && factory.isDelayedShutdownHandlerEnabled())
                .map(factory -> factory.getShutdownWaitPeriod().toJavaDuration())
                .orElse(java.time.Duration.ZERO);
    }

    /**
     * Registers the checks, for {@code /health-check} and for the admin port's {@code /healthcheck}.
     *
     * @param sessionTimeout ZooKeeper's session timeout, which bounds how long a step of the lease thread may take
     * @throws IllegalArgumentException when the program has a check of one of the names already
     */
    public static void register(HealthCheckRegistry checks, IdSource source, java.time.Duration sessionTimeout) {
        source.schemes().forEach(scheme -> checks.register(scheme.name(), schemeCheck(source, scheme)));
        checks.register(READINESS, new Readiness(source, Schemes.leased(source.schemes())));
        checks.register(LIVENESS, new Liveness(source, sessionTimeout));
    }

    /** Whether the registered readiness check passes at this moment. */
    public static boolean isReady(HealthCheckRegistry checks) {
        return checks.runHealthCheck(READINESS).isHealthy();
    }

    /**
     * The check of one scheme, with leases or without: it passes while the scheme serves. Operators see this check in
     * the list of checks; {@link Readiness} alone decides on readiness.
     */
    private static HealthCheck schemeCheck(IdSource source, Scheme<?> scheme) {
        return new HealthCheck() {
            @Override
            protected Result check() {
                return source.leaving()
                        ? Result.unhealthy(Readiness.LEAVING)
                        : source.status(scheme)
                                .fenced()
                                .map(why -> Result.unhealthy(scheme.name() + ": " + why.getMessage()))
                                .orElseGet(Result::healthy);
            }
        };
    }

    private static void schedule(DefaultHealthFactory factory, String name, HealthCheckType type, boolean critical) {
        List<HealthCheckConfiguration> scheduled = new ArrayList<>(factory.getHealthCheckConfigurations());
        if (scheduled.stream().anyMatch(check -> check.getName().equals(name))) {
            return;
        }
        Schedule schedule = new Schedule();
        schedule.setCheckInterval(INTERVAL);
        schedule.setDowntimeInterval(INTERVAL);
        schedule.setFailureAttempts(1);
        schedule.setSuccessAttempts(1);
        HealthCheckConfiguration check = new HealthCheckConfiguration();
        check.setName(name);
        check.setType(type);
        check.setCritical(critical);
        check.setInitialState(type == HealthCheckType.ALIVE);
        check.setSchedule(schedule);
        scheduled.add(check);
        factory.setHealthCheckConfigurations(scheduled);
    }
}
