package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells the paths of the routes from the program's other paths. */
final class RoutePaths {
    private static final Pattern ROUTES = Pattern.compile("/?(ids(/.*)?|leases|openapi\\.json|problems/.*)");
    private static final Pattern REST = Pattern.compile("/?\\*?$");

    private RoutePaths() {}

    static boolean include(UriInfo uri) {
        return ROUTES.matcher(uri.getPath()).matches();
    }

    /** What comes before the paths of the routes in the servlets' context: nothing, or such as {@code /api}. */
    static String root(@Nullable String jerseyPattern) {
        return jerseyPattern == null ? "" : REST.matcher(jerseyPattern).replaceFirst("");
    }
}
