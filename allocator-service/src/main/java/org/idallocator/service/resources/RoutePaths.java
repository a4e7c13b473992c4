package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/** Tells the paths of the routes from the program's other paths. */
final class RoutePaths {
    private RoutePaths() {}

    static boolean include(UriInfo uri) {
        return include(uri.getPath());
    }

    /** {@code path} is one in the servlets' context, and {@code jerseyPattern} that of Jersey's servlet: <code>/*</code> if null. */
    static boolean include(String path, @Nullable String jerseyPattern) {
        String root = jerseyPattern == null ? "" : jerseyPattern.replaceFirst("/?\\*?$", "");
        return path.startsWith(root + "/") && include(path.substring(root.length() + 1));
    }

    private static boolean include(String path) {
        return path.matches("/?(ids(/.*)?|leases)");
    }
}
