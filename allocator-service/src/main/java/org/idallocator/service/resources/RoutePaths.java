package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells the paths of the routes from the program's other paths. */
final class RoutePaths {
    /** The route of a scheme's IDs, as metrics name it. */
    static final String IDS = "/ids/{scheme}";

    private static final Pattern ROUTES = Pattern.compile("/?(ids(/.*)?|leases|openapi\\.json|problems/.*)");
    private static final Pattern OF_SCHEME = Pattern.compile("/?ids/[^/]+/?");
    private static final Pattern INSPECTION = Pattern.compile("/?ids/[^/]+/[^/]+/?");
    private static final Pattern CONSOLE = Pattern.compile("/console(/.*)?");
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

    /** Whether a path in the servlets' context is one of the console's, beside the routes. */
    static boolean isConsole(String path, @Nullable String jerseyPattern) {
        String root = root(jerseyPattern);
        return path.startsWith(root)
                && CONSOLE.matcher(path.substring(root.length())).matches();
    }

    /** Whether a path in the servlets' context is the one that all routes are below. */
    static boolean isRoot(String path, @Nullable String jerseyPattern) {
        return path.equals(root(jerseyPattern) + "/");
    }

    /** Whether a path in the servlets' context is that of what an ID says. */
    static boolean isInspection(String path, @Nullable String jerseyPattern) {
        return INSPECTION.matcher(below(path, jerseyPattern)).matches();
    }

    /** The path below that of all routes; empty where it is not below. */
    private static String below(String path, @Nullable String jerseyPattern) {
        String root = root(jerseyPattern) + "/";
        return path.startsWith(root) ? path.substring(root.length()) : "";
    }

    /** What comes before the paths of the routes in the servlets' context: nothing, or such as {@code /api}. */
    static String root(@Nullable String jerseyPattern) {
        return jerseyPattern == null ? "" : REST.matcher(jerseyPattern).replaceFirst("");
    }

    /** The name that metrics have for the route of a path in the servlets' context; {@code other} for all that is no route. */
    static String route(String path, @Nullable String jerseyPattern) {
        String below = below(path, jerseyPattern);
        if (OF_SCHEME.matcher(below).matches()) {
            return IDS;
        }
        if (INSPECTION.matcher(below).matches()) {
            return IDS + "/{id}";
        }
        if (below.startsWith("problems/")) {
            return "/problems/{reason}";
        }
        return include(below) && below.indexOf('/') < 0 ? "/" + below : "other";
    }

    private static boolean include(String path) {
        return ROUTES.matcher(path).matches();
    }
}
