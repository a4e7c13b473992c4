package org.idallocator.dropwizard.http;

import com.google.common.collect.ImmutableSet;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpMethod;

/**
 * The routes of the application port. What a request is counted as, whether HEAD is answered as GET, which pages may
 * ask for what, and whose matter an error is, all go by these. The resources have the same paths and methods, and no
 * others.
 */
public enum Route {
    SCHEMES("/ids", HttpMethod.GET),
    IDS("/ids/{scheme}", HttpMethod.GET, HttpMethod.HEAD, HttpMethod.POST),
    ID("/ids/{scheme}/{id}", HttpMethod.GET),
    LEASES("/leases", HttpMethod.GET),
    DESCRIPTION("/openapi.json", HttpMethod.GET),
    PROBLEM("/problems/{reason}", HttpMethod.GET);

    private final String path;
    private final ImmutableSet<HttpMethod> methods;
    private final Pattern paths;
    /** What comes before the first parameter; without one, the whole path. */
    private final String beginning;

    Route(String path, HttpMethod... methods) {
        this.path = path;
        this.methods = ImmutableSet.copyOf(methods);
        paths = Pattern.compile(path.replace(".", "\\.").replaceAll("\\{\\w+}", "[^/]+") + "/?");
        beginning = path.replaceFirst("\\{.*", "");
    }

    /**
     * The route of a path below the {@link BasePath}; empty where there is none. A slash at the end changes nothing.
     */
    public static Optional<Route> of(String path) {
        return Stream.of(values())
                .filter(route -> route.paths.matcher(path).matches())
                .findFirst();
    }

    /**
     * Whether a path below the {@link BasePath} is the routes' alone, and so are the errors there: that of a route, and
     * all that begins as one of a route with a parameter does.
     */
    public static boolean ownsPath(String path) {
        return Stream.of(values())
                .anyMatch(route -> route.hasParameter() ? path.startsWith(route.beginning) : path.equals(route.path));
    }

    private boolean hasParameter() {
        return !beginning.equals(path);
    }

    /** The path below the {@link BasePath}, with its parameters in braces. */
    public String path() {
        return path;
    }

    /** The methods of its resource. */
    public ImmutableSet<HttpMethod> methods() {
        return methods;
    }
}
