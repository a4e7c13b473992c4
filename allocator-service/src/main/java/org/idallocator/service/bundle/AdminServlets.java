package org.idallocator.service.bundle;

import io.dropwizard.core.setup.Environment;
import jakarta.servlet.Servlet;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletMapping;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * The allocator's servlets on the admin port. They are added when the admin port starts, after the program's own servlets. So a
 * path that both want is noticed: Jetty would leave out the later servlet, and say nothing. Not noticed are servlets that the
 * program adds by such a listener of its own, if that was registered later.
 */
final class AdminServlets implements LifeCycle.Listener {
    private static final String ALL_BELOW = "/*";

    private final Environment environment;
    private final Map<String, Servlet> byPattern;
    private boolean added;

    private AdminServlets(Environment environment, Map<String, Servlet> byPattern) {
        this.environment = environment;
        this.byPattern = byPattern;
    }

    /** Adds servlets, each at its pattern, when the admin port starts. That start fails where the program has a servlet there. */
    static void addAtStart(Environment environment, Map<String, Servlet> byPattern) {
        environment.getAdminContext().addEventListener(new AdminServlets(environment, byPattern));
    }

    @Override
    public void lifeCycleStarting(LifeCycle event) {
        if (!added) {
            byPattern.keySet().forEach(this::requireFree);
            byPattern.forEach((pattern, servlet) -> environment
                    .admin()
                    .addServlet("id-allocator" + path(pattern), servlet)
                    .addMapping(pattern));
            added = true;
        }
    }

    private void requireFree(String pattern) {
        taken().filter(other -> clash(pattern, other)).findFirst().ifPresent(other -> {
            throw new IllegalStateException("the program has a servlet at " + other + " on the admin port, where the"
                    + " allocator's is at " + pattern
                    + ": add the program's servlet at another path, or override adminServlets() of the bundle");
        });
    }

    /** The patterns of all servlets that the program has added. */
    private Stream<String> taken() {
        return Stream.of(environment.getAdminContext().getServletHandler().getServletMappings())
                .map(ServletMapping::getPathSpecs)
                .flatMap(Arrays::stream);
    }

    /** Whether a request for what one servlet answers would reach the other one. */
    private static boolean clash(String pattern, String other) {
        return path(other).equals(path(pattern))
                || (pattern.endsWith(ALL_BELOW) && other.startsWith(path(pattern) + "/"));
    }

    private static String path(String pattern) {
        return pattern.endsWith(ALL_BELOW) ? pattern.substring(0, pattern.length() - ALL_BELOW.length()) : pattern;
    }
}
