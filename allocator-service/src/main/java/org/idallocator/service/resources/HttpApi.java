package org.idallocator.service.resources;

import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import io.dropwizard.jersey.errors.EofExceptionWriterInterceptor;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.api.ZooKeeperEntry;
import org.idallocator.service.ids.IdService;
import org.idallocator.service.ids.MaxCounts;
import org.idallocator.service.metrics.RequestMetrics;
import org.idallocator.service.problems.ProblemErrorHandler;
import org.idallocator.service.problems.ProblemMapper;
import org.idallocator.zk.IdSource;

/** All routes on the application port. */
public final class HttpApi {
    private HttpApi() {}

    /**
     * Registers the routes, and how they answer errors. The other paths of the program stay as they are.
     *
     * @param zookeeper what is known of the ZooKeeper now; does not wait
     * @param discretion what the answers tell
     */
    public static void register(
            Environment environment,
            IdService ids,
            MaxCounts maxCounts,
            Supplier<ZooKeeperEntry> zookeeper,
            Discretion discretion) {
        IdSource source = ids.source();
        JerseyEnvironment jersey = environment.jersey();
        jersey.property(ProblemMapper.DISCRETION, discretion);
        jersey.register(new CatalogueResource(source, maxCounts, zookeeper, discretion));
        jersey.register(new IdsResource(ids, maxCounts));
        jersey.register(new InspectionResource(source, discretion));
        jersey.register(new LeasesResource(source, discretion));
        jersey.register(new OpenApiResource());
        jersey.register(new ProblemsResource());
        jersey.register(ProblemMapper.class);
        jersey.register(new OfRoutes());
    }

    /**
     * Lets so many requests for the routes and the console in at a time as the ids's limits say, and has a few of
     * them worked on at a time.
     *
     * @param consoleInFront whether the console is at the root of the routes, too
     */
    public static void limit(Environment environment, IdService ids, boolean consoleInFront) {
        ServletContextHandler context = environment.getApplicationContext();
        LimitedPaths paths = new LimitedPaths(environment.jersey()::getUrlPattern, consoleInFront);
        context.insertHandler(new InTurn(paths));
        context.insertHandler(new HandOver());
        context.insertHandler(new RequestLimit(ids, paths));
    }

    /** What comes before the paths of the routes in the application's context, once the server has started: nothing, or such as {@code /api}. */
    public static String root(JerseyEnvironment jersey) {
        return RoutePaths.root(jersey.getUrlPattern());
    }

    /**
     * Has plain requests for one ID answered in front of Jersey, in the way of the routes, where nothing else in the program has a
     * say in them. Comes after {@link #limit}, because what that lets in, and nothing before it, may wait.
     *
     * @param server what makes the server, and says how its requests are counted
     * @param metrics count the application's requests by their routes, whoever answers
     */
    public static void express(
            Environment environment, ServerFactory server, IdService ids, MaxCounts maxCounts, RequestMetrics metrics) {
        RouteCounts requests = new RouteCounts(metrics, environment.jersey()::getUrlPattern);
        ExpressLane lane = new ExpressLane(ids, maxCounts, requests);
        List<String> paths = ids.schemes().stream()
                .map(scheme -> ExpressLane.path("", scheme))
                .toList();
        JerseyBystanders bystanders = new JerseyBystanders(paths);
        environment.jersey().register(bystanders);
        PassedCounts.prepare(server, environment.metrics());
        environment.getApplicationContext().insertHandler(lane);
        environment.lifecycle().addEventListener(new ExpressSetup(environment, paths, lane, bystanders, server));
    }

    /** Lets pages of these origins use the routes in a browser; {@code *} is any origin. Without origins, nothing is changed. */
    public static void allow(Environment environment, List<String> origins) {
        if (!origins.isEmpty()) {
            environment
                    .getApplicationContext()
                    .insertHandler(new CrossOrigin(origins, environment.jersey()::getUrlPattern));
        }
    }

    /** Registers how errors are answered at every path, for a server without other routes and without other mappers. */
    public static void registerErrors(Environment environment) {
        JerseyEnvironment jersey = environment.jersey();
        jersey.register(NoStore.class);
        jersey.property(ProblemMapper.EVERYWHERE, true);
        jersey.register(new EarlyEofExceptionMapper());
        jersey.register(EofExceptionWriterInterceptor.class);
        ProblemErrorHandler problems = new ProblemErrorHandler();
        environment.getApplicationContext().setErrorHandler(problems);
        environment.getAdminContext().setErrorHandler(problems);
        environment.lifecycle().addServerLifecycleListener(server -> server.setErrorHandler(problems));
    }

    /** What the routes have in common, and the program's other resources have not. */
    private static final class OfRoutes implements DynamicFeature {
        @Override
        public void configure(ResourceInfo resource, FeatureContext context) {
            if (resource.getResourceClass().getPackage().equals(HttpApi.class.getPackage())) {
                context.register(NoStore.class).register(UnreadAnswers.class);
            }
        }
    }
}
