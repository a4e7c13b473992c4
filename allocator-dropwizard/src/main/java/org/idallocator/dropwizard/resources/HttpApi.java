package org.idallocator.dropwizard.resources;

import io.dropwizard.core.setup.Environment;
import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import io.dropwizard.jersey.errors.EofExceptionWriterInterceptor;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import jakarta.ws.rs.container.DynamicFeature;
import java.util.function.Supplier;
import org.idallocator.dropwizard.api.Catalogue.ZooKeeperEntry;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.MaxCounts;
import org.idallocator.dropwizard.problems.ProblemErrorHandler;
import org.idallocator.dropwizard.problems.ProblemMapper;

/** All routes on the application port. */
public final class HttpApi {
    private HttpApi() {}

    /**
     * Registers the routes, and how they answer errors. The program's other paths stay as they are.
     *
     * @param zookeeper what is known of the ZooKeeper now; does not wait
     * @param visibility what the answers may tell
     */
    public static void register(
            Environment environment,
            IdService ids,
            MaxCounts maxCounts,
            Supplier<ZooKeeperEntry> zookeeper,
            Visibility visibility) {
        JerseyEnvironment jersey = environment.jersey();
        jersey.property(ProblemMapper.VISIBILITY, visibility);
        jersey.register(new IdsResource(ids, maxCounts, zookeeper, visibility));
        jersey.register(new LeasesResource(ids.source(), visibility));
        jersey.register(new OpenApiResource());
        jersey.register(new ProblemsResource());
        jersey.register(ProblemMapper.class);
        jersey.register(routeFilters());
        AnswerEndHandler.install(environment);
    }

    /** Registers how errors are answered at every path, for a server without other routes and without other mappers. */
    public static void registerErrors(Environment environment) {
        JerseyEnvironment jersey = environment.jersey();
        jersey.register(CommonHeadersFilter.class);
        jersey.property(ProblemMapper.EVERYWHERE, true);
        jersey.register(new EarlyEofExceptionMapper());
        jersey.register(EofExceptionWriterInterceptor.class);
        ProblemErrorHandler problems = new ProblemErrorHandler();
        environment.getApplicationContext().setErrorHandler(problems);
        environment.getAdminContext().setErrorHandler(problems);
        environment.lifecycle().addServerLifecycleListener(server -> server.setErrorHandler(problems));
    }

    /** Filters that the routes have in common, and the program's other resources do not get. */
    private static DynamicFeature routeFilters() {
        return (resource, context) -> {
            if (resource.getResourceClass().getPackage().equals(HttpApi.class.getPackage())) {
                context.register(CommonHeadersFilter.class).register(UnreadAnswerInterceptor.class);
            }
        };
    }
}
