package org.idallocator.service.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthCheckConfiguration;
import io.dropwizard.health.HealthEnvironment;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.health.response.HealthResponderFactory;
import io.dropwizard.health.response.HealthResponseProvider;
import io.dropwizard.health.response.JsonHealthResponseProviderFactory;
import io.dropwizard.health.response.ServletHealthResponderFactory;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import io.dropwizard.jetty.setup.ServletEnvironment;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;

/**
 * What answers health checks: Dropwizard's servlet, and a {@link HealthHandler} in front with the same answers.
 * Dropwizard configures it before the application runs, on the thread that starts the program.
 */
public final class HealthResponder implements HealthResponderFactory {
    private final DefaultHealthFactory factory;
    private final ServletHealthResponderFactory servlet;
    private Set<String> paths = Set.of();
    private Optional<HealthAnswers> answers = Optional.empty();

    private HealthResponder(DefaultHealthFactory factory, ServletHealthResponderFactory servlet) {
        this.factory = factory;
        this.servlet = servlet;
    }

    /**
     * Adds a handler to Dropwizard's servlet. If an operator has chosen another responder or other answers, these stay
     * as they are: such an answer might wait.
     */
    public static void addTo(DefaultHealthFactory factory) {
        if (factory.getHealthResponseProviderFactory().getClass() == JsonHealthResponseProviderFactory.class
                && factory.getHealthResponderFactory() instanceof ServletHealthResponderFactory servlet) {
            factory.setHealthResponderFactory(new HealthResponder(factory, servlet));
        }
    }

    /** The responder that was added; empty where there is none. */
    static Optional<HealthResponder> of(Optional<HealthFactory> health) {
        return health.filter(DefaultHealthFactory.class::isInstance)
                .map(factory -> ((DefaultHealthFactory) factory).getHealthResponderFactory())
                .filter(HealthResponder.class::isInstance)
                .map(HealthResponder.class::cast);
    }

    /**
     * A handler that answers as the servlet does; empty where health checks are not answered at all.
     *
     * @param context the path of the application's context, without a slash at its end
     * @param variesByOrigin whether pages of some other origins may read answers
     * @param metrics counts the answers
     */
    Optional<HealthHandler> newHandler(String context, boolean variesByOrigin, RequestMetrics metrics) {
        Set<String> onPort = paths.stream().map(path -> context + path).collect(Collectors.toUnmodifiableSet());
        Optional<String> cacheControl =
                servlet.isCacheControlEnabled() ? Optional.of(servlet.getCacheControlValue()) : Optional.empty();
        return answers.map(found -> new HealthHandler(onPort, found, cacheControl, variesByOrigin, metrics));
    }

    @Override
    public void configure(
            String name,
            Collection<String> healthCheckUrlPaths,
            HealthResponseProvider healthResponseProvider,
            HealthEnvironment health,
            JerseyEnvironment jersey,
            ServletEnvironment servlets,
            ObjectMapper mapper) {
        List<String> checks = factory.getHealthCheckConfigurations().stream()
                .map(HealthCheckConfiguration::getName)
                .toList();
        paths = Set.copyOf(healthCheckUrlPaths);
        answers = Optional.of(new HealthAnswers(healthResponseProvider, checks, Clock.system()));
        servlet.configure(name, healthCheckUrlPaths, healthResponseProvider, health, jersey, servlets, mapper);
    }
}
