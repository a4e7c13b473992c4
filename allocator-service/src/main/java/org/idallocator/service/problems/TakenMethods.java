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

    /** Those of the servlet that was asked, as far as {@code server.allowedMethods} has them; none where none was asked. */
    static List<String> of(Request request) {
        return Optional.ofNullable(Request.as(request, ServletContextRequest.class))
                .map(TakenMethods::of)
                .orElse(List.of());
    }

    private static List<String> of(ServletContextRequest request) {
        Set<String> servers = servers(request.getServletContextHandler().getServletHandler());
        Set<String> own = own(request.getMatchedResource().getResource().getServletHolder());
        return own.isEmpty() || servers.isEmpty()
                ? List.copyOf(own.isEmpty() ? servers : own)
                : own.stream().filter(servers::contains).toList();
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
