package org.idallocator.service.server;

import com.codahale.metrics.MetricRegistry;
import com.google.common.collect.Maps;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.health.DefaultHealthFactory;
import io.dropwizard.health.HealthFactory;
import io.dropwizard.metrics.servlets.AdminServlet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
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
import org.idallocator.dropwizard.config.CorsSection;
import org.idallocator.dropwizard.http.BasePath;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.Route;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.metrics.Meters;
import org.idallocator.dropwizard.metrics.MetricsSetup;

/**
 * Places the handlers that stand in front of the service's servlets. Outermost in the server are
 * {@link SingleIdHandler} and {@link HeadHandler}. In the context of the application, from the outermost one:
 * {@link RequestMetrics}; Jetty's for pages of other origins, where some are allowed; {@link BodyHandler};
 * {@link AdmissionHandler}; {@link PermitHandler}. All of these may run on a selector's thread, and only what is behind
 * a {@link PermitHandler} may wait. The admin port has one, too, and nobody is refused there. {@link BoundedHttp} and
 * {@link ConnectionLimit} bound what connections take, and {@link AcceptPace} how fast they come, on both ports.
 */
public final class FrontHandlers {
    /** How many health checks are made at a time, and how many requests of the admin port are worked on. */
    private static final int CHECKS_AT_A_TIME = 2;

    /**
     * Paths of the admin port that are much work. Stacks of all threads stop the JVM while they are taken: with as many
     * at a time as there are threads, leases were not renewed in time. One is worked on at a time, and keeps operators
     * from nothing else.
     */
    private static final Set<String> DUMPS =
            Set.of(AdminServlet.DEFAULT_THREADS_URI, AdminServlet.DEFAULT_METRICS_URI, MetricsSetup.PATH);

    private FrontHandlers() {}

    /**
     * Places the handlers, and those that need it when the server starts. To be called once, before that, and when the
     * admin port has its guard: that is to stand behind the hop to the pool.
     *
     * @param cors which pages of other origins may ask
     * @param health whose paths requests are never refused at
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
        application.insertHandler(ofApplication(healthChecks));
        application.insertHandler(new AdmissionHandler(ids, healthChecks::contains, refusals));
        application.insertHandler(new BodyHandler(ids, healthChecks::contains, refusals, pool));
        if (!origins.isEmpty()) {
            application.insertHandler(allowing(origins));
        }
        application.insertHandler(metrics);
        environment.getAdminContext().insertHandler(ofAdmin());
        environment.lifecycle().addEventListener(new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarting(LifeCycle event) {
                if (event instanceof Server server) {
                    CommonHeaders vary = CommonHeaders.varying(!origins.isEmpty());
                    server.insertHandler(new HeadHandler(base));
                    server.insertHandler(new SingleIdHandler(new PlainRequests(ids, base.onPort(), vary), metrics));
                    boundConnections(server, ids, environment.metrics());
                }
            }
        });
    }

    /** One processor is left to the selectors, to refusals, and so to single IDs; large answers need no permit. */
    private static PermitHandler ofApplication(Set<String> healthChecks) {
        Lane work = new Lane(Math.max(1, Runtime.getRuntime().availableProcessors() - 1));
        Lane health = new Lane(CHECKS_AT_A_TIME);
        return new PermitHandler(work, Maps.asMap(healthChecks, path -> health));
    }

    private static PermitHandler ofAdmin() {
        Lane dumps = new Lane(1);
        return new PermitHandler(new Lane(CHECKS_AT_A_TIME), Maps.asMap(DUMPS, path -> dumps));
    }

    /** What Dropwizard makes for a Unix socket is left as it is: no stranger reaches that. */
    private static void boundConnections(Server server, IdService ids, MetricRegistry metrics) {
        ConnectionLimit limit = new ConnectionLimit(server, ids);
        for (Connector connector : server.getConnectors()) {
            if (connector instanceof ServerConnector listening) {
                BoundedHttp.install(listening, ids.limits().fields(), metrics);
                listening.addBean(limit);
                listening.addBean(new AcceptPace());
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
     * Lets pages of these origins use the application port in a browser, without credentials. A request of another one
     * is answered all the same, without the headers by which a browser lets the page read the answer: pages of the
     * service's own origin send theirs, too.
     */
    private static CrossOriginHandler allowing(List<String> origins) {
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
