package org.idallocator.service.resources;

import jakarta.ws.rs.core.Configuration;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Request;
import jakarta.ws.rs.core.UriInfo;
import org.glassfish.jersey.spi.ExtendedExceptionMapper;
import org.idallocator.service.problems.ProblemMapper;

/** The mapper for the paths of the routes alone: how errors at other paths are answered is the program's own matter. */
final class RouteProblemMapper extends ProblemMapper implements ExtendedExceptionMapper<Throwable> {
    private final UriInfo uri;

    /** The first three are those of the request that is answered; {@code configuration} is the server's. */
    public RouteProblemMapper(
            @Context HttpHeaders headers,
            @Context UriInfo uri,
            @Context Request request,
            @Context Configuration configuration) {
        super(headers, uri, request, configuration);
        this.uri = uri;
    }

    @Override
    public boolean isMappable(Throwable error) {
        return RoutePaths.include(uri);
    }
}
