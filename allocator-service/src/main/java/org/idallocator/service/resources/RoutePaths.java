package org.idallocator.service.resources;

import jakarta.ws.rs.core.UriInfo;

/** Tells the paths of the routes from the others of a program. */
final class RoutePaths {
    private RoutePaths() {}

    static boolean include(UriInfo uri) {
        return uri.getPath().matches("/?(ids(/.*)?|leases)");
    }
}
