package org.idallocator.service.resources;

import io.dropwizard.core.server.ServerFactory;
import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import io.dropwizard.jersey.errors.EofExceptionWriterInterceptor;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.api.ZooKeeperEntry;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.metrics.RequestMetrics;
import org.idallocator.service.problems.ProblemErrorHandler;
import org.idallocator.service.problems.ProblemMapper;

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
            Dispenser dispenser,
            Counts counts,
            Supplier<ZooKeeperEntry> zookeeper,
            Visibility discretion) {
        IdSource source = dispenser.source();
        JerseyEnvironment jersey = environment.jersey();
        jersey.property(ProblemMapper.DISCRETION, discretion);
        jersey.register(new CatalogueResource(source, counts, zookeeper, discretion));
        jersey.register(new IdsResource(source, dispenser, counts));
        jersey.register(new InspectionResource(source, discretion));
        jersey.register(new LeasesResource(source));
        jersey.register(new OpenApiResource());
        jersey.register(new ProblemsResource());
        jersey.register(new BodyRefusal());
        jersey.register(new RouteAnswerFilter(discretion));
        jersey.register(UnreadAnswers.class);
        jersey.register(ProblemMapper.class);
    }

    /**
     * Lets so many requests for the routes and the console in at a time as the dispenser's limits say, and has a few of
     * them worked on at a time.
     *
     * @param consoleInFront whether the console is at the root of the routes, too
     */
    public static void limit(Environment environment, Dispenser dispenser, boolean consoleInFront) {
        ServletContextHandler context = environment.getApplicationContext();
        LimitedPaths paths = new LimitedPaths(environment.jersey()::getUrlPattern, consoleInFront);
        context.insertHandler(new InTurn(paths));
        context.insertHandler(new HandOver());
        context.insertHandler(new RequestLimit(dispenser.requestPlaces(), dispenser.readings(), paths));
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
            Environment environment, ServerFactory server, Dispenser dispenser, Counts counts, RequestMetrics metrics) {
        RouteCounts requests = new RouteCounts(metrics, environment.jersey()::getUrlPattern);
        ExpressLane lane = new ExpressLane(dispenser, counts, requests);
        List<String> paths = dispenser.schemes().stream()
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
        jersey.register(new AnswerFilter());
        jersey.property(ProblemMapper.EVERYWHERE, true);
        jersey.register(new EarlyEofExceptionMapper());
        jersey.register(EofExceptionWriterInterceptor.class);
        ProblemErrorHandler problems = new ProblemErrorHandler();
        environment.getApplicationContext().setErrorHandler(problems);
        environment.getAdminContext().setErrorHandler(problems);
        environment.lifecycle().addServerLifecycleListener(server -> server.setErrorHandler(problems));
    }
}
