package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;

/** Tells the paths of the routes from the program's other paths. */
final class RoutePaths {
    private RoutePaths() {}

    static boolean include(UriInfo uri) {
        return include(uri.getPath());
    }

    static boolean include(String path) {
        return path.matches("/?(ids(/.*)?|leases)");
    }
}
