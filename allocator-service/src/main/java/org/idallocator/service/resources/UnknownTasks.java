package org.idallocator.service.resources;

import io.dropwizard.servlets.tasks.TaskServlet;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.ee10.servlet.ServletHandler;
import org.eclipse.jetty.ee10.servlet.ServletMapping;
import org.idallocator.service.text.Quoted;

/**
 * Names the tasks that there are to who calls one that there is not, and POST to who asks for one otherwise: Dropwizard answers both
 * with a bare status. Has the list of the tasks answered in UTF-8. Thread-safe.
 */
final class UnknownTasks extends HttpFilter {
    private static final long serialVersionUID = 1L;

    /** Below which path Dropwizard has the tasks of the admin port. */
    static final String PATTERN = "/tasks/*";

    static final String BEGINNING = "/tasks/";

    private final transient ServletHandler servlets;

    /** {@code servlets} are those of the admin port. */
    UnknownTasks(ServletHandler servlets) {
        this.servlets = servlets;
    }

    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String name = Objects.requireNonNullElse(request.getPathInfo(), "/").substring(1);
        boolean posted = request.getMethod().equals("POST");
        boolean asksForTheList = request.getPathInfo() == null && !posted;
        boolean toDropwizard = request.getHttpServletMapping().getPattern().equals(PATTERN)
                && !request.getMethod().equals("OPTIONS")
                && !asksForTheList;
        List<String> dropwizards = dropwizards();
        if (toDropwizard && !dropwizards.contains(name)) {
            response.sendError(
                    HttpServletResponse.SC_NOT_FOUND,
                    (name.isEmpty() ? "the path names no task" : "there is no task " + Quoted.of(name)) + "; there are "
                            + Stream.concat(dropwizards.stream(), others())
                                    .sorted()
                                    .collect(Collectors.joining(", ")));
        } else if (toDropwizard && !posted) {
            response.setHeader("Allow", "POST");
            response.sendError(
                    HttpServletResponse.SC_METHOD_NOT_ALLOWED, "this path takes POST: " + request.getMethod());
        } else {
            if (asksForTheList) {
                response.setCharacterEncoding(StandardCharsets.UTF_8.name());
            }
            chain.doFilter(request, response);
        }
    }

    private List<String> dropwizards() {
        return Arrays.stream(servlets.getServlets())
                .map(holder -> holder.getServletInstance())
                .filter(TaskServlet.class::isInstance)
                .flatMap(servlet -> ((TaskServlet) servlet).getTasks().stream())
                .map(task -> task.getName())
                .toList();
    }

    /** Tasks that are servlets of their own. */
    private Stream<String> others() {
        return Arrays.stream(servlets.getServletMappings())
                .map(ServletMapping::getPathSpecs)
                .flatMap(Arrays::stream)
                .filter(spec -> spec.startsWith(BEGINNING) && !spec.equals(PATTERN))
                .map(spec -> spec.substring(BEGINNING.length()));
    }
}
