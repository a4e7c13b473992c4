package org.idallocator.dropwizard.http;

import com.google.common.collect.ImmutableSet;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpMethod;

/**
 * The routes of the application port. They decide by which name a request is counted, whether HEAD is answered as GET,
 * what pages of other origins may ask, and at which paths errors are the allocator's to answer. The resources have
 * exactly these paths and methods.
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
    /** The path up to its first parameter; the whole path where there is no parameter. */
    private final String beginning;

    Route(String path, HttpMethod... methods) {
        this.path = path;
        this.methods = ImmutableSet.copyOf(methods);
        paths = Pattern.compile(path.replace(".", "\\.").replaceAll("\\{\\w+}", "[^/]+") + "/?");
        beginning = path.replaceFirst("\\{.*", "");
    }

    /**
     * The route of a path below the {@link BasePath}; empty where there is none. A slash at the end of the path changes
     * nothing.
     */
    public static Optional<Route> of(String path) {
        return Stream.of(values())
                .filter(route -> route.paths.matcher(path).matches())
                .findFirst();
    }

    /**
     * Whether the allocator answers errors at a path below the {@link BasePath}: at the path of a route, and at every
     * path that begins like a route with a parameter.
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

    /** The methods of the route's resource. */
    public ImmutableSet<HttpMethod> methods() {
        return methods;
    }
}
