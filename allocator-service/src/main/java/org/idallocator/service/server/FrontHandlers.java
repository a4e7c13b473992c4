package org.idallocator.service.server;

import com.codahale.metrics.MetricRegistry;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.metrics.servlets.AdminServlet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.CrossOriginHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.config.CorsSection;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.Route;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.metrics.Meters;
import org.idallocator.dropwizard.metrics.MetricsSetup;
import org.idallocator.service.server.PermitHandler.Apart;

/**
 * Places the handlers that stand in front of the service's servlets. The outermost ones in the server are
 * {@link SingleIdHandler}, {@link HealthHandler} and {@link HeadHandler}. The application's context has, from the
 * outside in: {@link RequestMetrics}; Jetty's handler for pages of other origins, where some are allowed;
 * {@link BodyHandler}; {@link AdmissionHandler}; {@link PermitHandler}. All of these may run on a selector's thread, so
 * only what is behind a {@link PermitHandler} may wait. The admin port has a {@link PermitHandler}, too, and refuses
 * nobody. {@link BoundedHttpFactory} and {@link ConnectionLimit} bound what connections take on both ports, and
 * {@link AcceptPace} bounds how fast they come.
 */
public final class FrontHandlers {
    /**
     * How many health checks that a servlet answers are worked on at a time, and how many requests of the admin port.
     */
    private static final int CHECKS_AT_A_TIME = 2;

    /**
     * Beginnings of paths of the admin port whose answers take much work. One such request is worked on at a time, in a
     * lane of its own, and operators can do everything else meanwhile.
     */
    private static final Set<String> METRICS = Set.of(AdminServlet.DEFAULT_METRICS_URI, MetricsSetup.PATH);

    /**
     * The same for the stacks of all threads. The JVM stops while these are taken: when all threads took them at a
     * time, leases were not renewed in time. The lane rests after each.
     */
    private static final String STACKS = AdminServlet.DEFAULT_THREADS_URI;

    /**
     * Beside 1,100 clients that asked for stacks, single IDs came within 115 ms without the rest, and 26 ms with it.
     */
    private static final long REST_MILLIS = 50;

    private FrontHandlers() {}

    /**
     * Places the handlers of the contexts now, and those of the server when the server starts. To be called once,
     * before the server starts, and after the admin port has got its guard: the guard is to run on the pool.
     *
     * @param cors which pages of other origins may ask
     * @param health tells the paths of health checks, at which no request is refused
     * @param ids answers requests
     */
    public static void install(
            Environment environment, CorsSection cors, Optional<HealthFactory> health, IdService ids, Meters meters) {
        List<String> origins = cors.origins();
        BasePath base = BasePath.of(environment);
        RequestMetrics metrics = new RequestMetrics(meters, base);
        ServletContextHandler application = environment.getApplicationContext();
        Executor pool = task -> application.getServer().getThreadPool().execute(task);
        Refusals refusals = new Refusals(ids, base, pool);
        Set<String> healthChecks = paths(health);
        application.insertHandler(applicationPermits(healthChecks));
        application.insertHandler(new AdmissionHandler(ids, healthChecks::contains, refusals));
        application.insertHandler(new BodyHandler(ids, healthChecks::contains, refusals, pool));
        if (!origins.isEmpty()) {
            application.insertHandler(crossOriginHandler(origins));
        }
        application.insertHandler(metrics);
        environment.getAdminContext().insertHandler(adminPermits());
        environment.lifecycle().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                if (event instanceof Server server) {
                    CommonHeaders vary = CommonHeaders.varying(!origins.isEmpty());
                    server.insertHandler(new HeadHandler(base));
                    HealthResponder.of(health)
                            .flatMap(responder -> responder.newHandler(base.context(), !origins.isEmpty(), metrics))
                            .ifPresent(server::insertHandler);
                    server.insertHandler(new SingleIdHandler(new PlainRequests(ids, base.onPort(), vary), metrics));
                    boundConnections(server, ids, environment.metrics());
                }
            }
        });
    }

    /**
     * The permits of the application port. One processor is left to the selectors, and so to refusals and to single
     * IDs. Large answers give their permits back when they begin.
     */
    private static PermitHandler applicationPermits(Set<String> healthChecks) {
        Lane work = new Lane(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
        Lane health = new Lane(CHECKS_AT_A_TIME);
        return new PermitHandler(work, new Apart(healthChecks::contains, health));
    }

    private static PermitHandler adminPermits() {
        Executor rest = CompletableFuture.delayedExecutor(REST_MILLIS, TimeUnit.MILLISECONDS);
        return new PermitHandler(
                new Lane(CHECKS_AT_A_TIME),
                new Apart(path -> METRICS.stream().anyMatch(path::startsWith), new Lane(1)),
                new Apart(path -> path.startsWith(STACKS), new Lane(1, rest)));
    }

    /**
     * Bounds the connections of network connectors. Dropwizard's connector for a Unix socket stays as it is, because no
     * stranger reaches it.
     */
    private static void boundConnections(Server server, IdService ids, MetricRegistry metrics) {
        ConnectionLimit limit = new ConnectionLimit(server, ids);
        for (Connector connector : server.getConnectors()) {
            if (connector instanceof ServerConnector listening) {
                BoundedHttpFactory.install(listening, ids.limits().fields(), limit, metrics);
                listening.addBean(limit);
                listening.addBean(new AcceptPace(Clock.system()));
            }
        }
    }

    /** The paths of health checks in the application's context. */
    private static Set<String> paths(Optional<HealthFactory> health) {
        return health.stream()
                .filter(DefaultHealthFactory.class::isInstance)
                .flatMap(factory -> ((DefaultHealthFactory) factory).getHealthCheckUrlPaths().stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Lets pages of these origins use the application port in a browser, without credentials. A request of another
     * origin is answered as well, but without the headers that let a page read the answer. Requests of other origins
     * cannot be refused, because pages of the service itself send an origin, too.
     */
    private static CrossOriginHandler crossOriginHandler(List<String> origins) {
        CrossOriginHandler handler = new CrossOriginHandler();
        handler.setAllowedOriginPatterns(origins.stream()
                .map(origin -> origin.equals("*") ? origin : Pattern.quote(origin))
                .collect(Collectors.toUnmodifiableSet()));
        handler.setAllowedMethods(Stream.of(Route.values())
                .flatMap(route -> route.methods().stream())
                .map(HttpMethod::asString)
                .collect(Collectors.toUnmodifiableSet()));
        handler.setAllowedHeaders(Set.of("Accept", "Content-Type"));
        handler.setAllowCredentials(false);
        handler.setExposedHeaders(CommonHeaders.EXPOSED);
        return handler;
    }
}
