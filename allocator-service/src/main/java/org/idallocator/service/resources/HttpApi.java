package org.idallocator.service.resources;

import io.dropwizard.jersey.errors.EarlyEofExceptionMapper;
import io.dropwizard.jersey.errors.EofExceptionWriterInterceptor;
import io.dropwizard.jersey.setup.JerseyEnvironment;
import org.idallocator.service.draw.Draws;
import org.idallocator.service.draw.IdSource;
import org.idallocator.service.errors.ProblemMapper;

/** All routes of the application port. */
public final class HttpApi {
    private HttpApi() {}

    /** Registers them, together with the one way in which errors are answered. */
    public static void register(JerseyEnvironment jersey, IdSource source, Draws draws) {
        jersey.register(new CatalogueResource(source));
        jersey.register(new DrawResource(source, draws));
        jersey.register(new InspectionResource(source));
        jersey.register(new LeasesResource(source));
        jersey.register(new CacheHeaders());
        jersey.register(ProblemMapper.class);
        jersey.register(new EarlyEofExceptionMapper());
        jersey.register(EofExceptionWriterInterceptor.class);
    }
}
