package org.idallocator.service.resources;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import io.dropwizard.jersey.errors.EofExceptionWriterInterceptor;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import java.util.function.Supplier;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.api.ZooKeeperEntry;
import org.idallocator.service.draw.Counts;
import org.idallocator.service.draw.Dispenser;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.problems.ProblemMapper;
import org.idallocator.service.problems.ServerProblems;

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
            Discretion discretion) {
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
        jersey.register(RouteProblemMapper.class);
    }

    /** What comes before the paths of the routes in the application's context, once the server has started: nothing, or such as {@code /api}. */
    public static String root(JerseyEnvironment jersey) {
        return RoutePaths.root(jersey.getUrlPattern());
    }

    /** Registers how errors are answered at every path, for a server without other routes and without other mappers. */
    public static void registerErrors(Environment environment) {
        JerseyEnvironment jersey = environment.jersey();
        jersey.register(new AnswerFilter());
        jersey.register(ProblemMapper.class);
        jersey.register(new EarlyEofExceptionMapper());
        jersey.register(EofExceptionWriterInterceptor.class);
        environment
                .admin()
                .addFilter(
                        "unknown-tasks",
                        new UnknownTasks(environment.getAdminContext().getServletHandler()))
                .addMappingForUrlPatterns(null, false, UnknownTasks.PATTERN);
        environment
                .admin()
                .addFilter("log-level-calls", new LogLevelCalls())
                .addMappingForUrlPatterns(null, false, LogLevelCalls.PATTERN);
        ServerProblems problems = new ServerProblems();
        environment.getApplicationContext().setErrorHandler(problems);
        environment.getAdminContext().setErrorHandler(problems);
        environment.lifecycle().addServerLifecycleListener(server -> server.setErrorHandler(problems));
    }
}
