package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells the paths of the routes from the program's other paths. */
final class RoutePaths {
    private static final Pattern ROUTES = Pattern.compile("/?(ids(/.*)?|leases|problems/.*)");
    private static final Pattern REST = Pattern.compile("/?\\*?$");

    private RoutePaths() {}

    static boolean include(UriInfo uri) {
        return include(uri.getPath());
    }

    /** {@code path} is one in the servlets' context, and {@code jerseyPattern} that of Jersey's servlet: <code>/*</code> if null. */
    static boolean include(String path, @Nullable String jerseyPattern) {
        String root = root(jerseyPattern);
        return path.startsWith(root + "/") && include(path.substring(root.length() + 1));
    }

    /** What comes before the paths of the routes in the servlets' context: nothing, or such as {@code /api}. */
    static String root(@Nullable String jerseyPattern) {
        return jerseyPattern == null ? "" : REST.matcher(jerseyPattern).replaceFirst("");
    }

    private static boolean include(String path) {
        return ROUTES.matcher(path).matches();
    }
}
