package org.idallocator.service.problems;

import io.dropwizard.jersey.filter.AllowedMethodsFilter;
import jakarta.servlet.http.HttpServlet;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.ee10.servlet.ServletHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Request;

/** Which methods a path takes: servlets refuse any other, and do not tell. */
final class TakenMethods {
    private TakenMethods() {}

    /**
     * Those of the servlet that was asked, as far as {@code server.allowedMethods} has them; none where none was asked, and where that has
     * routes, which tell by themselves what they take.
     */
    static List<String> ofServlet(Request request) {
        return servlet(request)
                .map(asked -> {
                    Set<String> servers = servers(handler(asked));
                    return own(asked.getMatchedResource().getResource().getServletHolder()).stream()
                            .filter(method -> servers.isEmpty() || servers.contains(method))
                            .toList();
                })
                .orElse(List.of());
    }

    /** Those of {@code server.allowedMethods}; none where the web server takes all, or no servlet was asked. */
    static List<String> ofServer(Request request) {
        return servlet(request)
                .map(asked -> List.copyOf(servers(handler(asked))))
                .orElse(List.of());
    }

    private static Optional<ServletContextRequest> servlet(Request request) {
        return Optional.ofNullable(Request.as(request, ServletContextRequest.class));
    }

    private static ServletHandler handler(ServletContextRequest request) {
        return request.getServletContextHandler().getServletHandler();
    }

    /** Those that the web server lets pass. */
    private static Set<String> servers(ServletHandler servlets) {
        return Arrays.stream(servlets.getFilters())
                .filter(filter -> AllowedMethodsFilter.class.getName().equals(filter.getClassName()))
                .flatMap(filter -> Stream.of(filter.getInitParameter(AllowedMethodsFilter.ALLOWED_METHODS_PARAM)
                        .split(",", -1)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those for which the servlet has a method of its own, as in {@link HttpServlet#doOptions}; none where it has routes. */
    private static Set<String> own(ServletHolder holder) {
        Set<String> own = new TreeSet<>();
        for (Class<?> type = type(holder); HttpServlet.class.isAssignableFrom(type); type = type.getSuperclass()) {
            if (type != HttpServlet.class) {
                Arrays.stream(type.getDeclaredMethods())
                        .map(Method::getName)
                        .filter(name -> name.matches("do(Get|Post|Put|Delete|Patch)"))
                        .forEach(name -> own.add(name.substring(2).toUpperCase(Locale.ROOT)));
            }
        }
        if (!own.isEmpty()) {
            own.add("OPTIONS");
        }
        if (own.contains("GET")) {
            own.add("HEAD");
        }
        return own;
    }

    private static Class<?> type(ServletHolder holder) {
        return holder.getServletInstance() == null
                ? Object.class
                : holder.getServletInstance().getClass();
    }
}
