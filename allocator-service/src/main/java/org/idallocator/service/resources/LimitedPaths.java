package org.idallocator.service.resources;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which paths in the servlets' context the limits of requests are for: those of the routes and of the console. The program's other
 * paths are not limited. Immutable.
 *
 * @param jerseyPattern that of Jersey's servlet, such as <code>/api/*</code>, once the server has started
 * @param consoleInFront whether the console is at the root of the routes, too
 */
record LimitedPaths(Supplier<@Nullable String> jerseyPattern, boolean consoleInFront) {
    boolean include(String path) {
        String pattern = jerseyPattern.get();
        return RoutePaths.include(path, pattern)
                || RoutePaths.isConsole(path, pattern)
                || (consoleInFront && RoutePaths.isRoot(path, pattern));
    }

    /** Whether a path is that of what an ID says. */
    boolean isInspection(String path) {
        return RoutePaths.isInspection(path, jerseyPattern.get());
    }

    /** What comes before the paths of the routes: nothing, or such as {@code /api}. */
    String root() {
        return RoutePaths.root(jerseyPattern.get());
    }
}
