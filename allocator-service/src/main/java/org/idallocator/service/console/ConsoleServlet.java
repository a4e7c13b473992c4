package org.idallocator.service.console;

import io.dropwizard.servlets.assets.AssetServlet;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotFoundException;
import java.io.IOException;
import java.net.URL;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.decode.UnreadableException;
import org.idallocator.service.problems.Accepts;
import org.idallocator.service.problems.Problems;

/**
 * The console: the page at the servlet's own path, its files, {@code state} and {@code read} below that. Each address in the page is
 * relative to the directory that the page is in, so it works at {@code /} and {@code /console}, and behind any prefix.
 */
public final class ConsoleServlet extends AssetServlet {
    private static final long serialVersionUID = 1L;

    /** Nothing comes from elsewhere, nothing is inline, and no other page shows this one in a frame. */
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                            + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin");

    private static final String DIRECTORY = "org/idallocator/service/console/";

    /** The page itself. */
    private static final String FRONT = "index.html";

    /** Nothing else is ever looked for, so that no name leads out of the directory. */
    private static final Pattern FILE = Pattern.compile("[a-z]+\\.(html|css|js|svg)");

    private final transient Console console;
    private final transient Supplier<Optional<ApplicationPort>> application;
    private final transient Visibility discretion;

    private ConsoleServlet(Console console, Supplier<Optional<ApplicationPort>> application, Visibility discretion) {
        super(DIRECTORY, "/", FRONT, "text/html", null);
        this.console = console;
        this.application = application;
        this.discretion = discretion;
    }

    /**
     * The console of the application port, which is for everybody: nothing on it names a tenure or changes anything.
     *
     * @param discretion what it tells
     */
    public static ConsoleServlet forEverybody(Console console, Visibility discretion) {
        return new ConsoleServlet(console, Optional::empty, discretion);
    }

    /**
     * The console of the admin port, with what operators can do.
     *
     * @param application where the console of the application port is
     */
    public static ConsoleServlet forOperators(Console console, Supplier<ApplicationPort> application) {
        return new ConsoleServlet(console, () -> Optional.of(application.get()), Visibility.OPERATOR);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        HEADERS.forEach(response::setHeader);
        response.setHeader("Cache-Control", "no-store");
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        switch (path) {
            case "/state" ->
                answer(request, response, () -> console.state(text(request, "seen"), application.get(), discretion));
            case "/read" ->
                answer(request, response, () -> Reading.of(text(request, "id"), console.source(), discretion));
            case "/" -> front(request, response);
            default -> file(path.isEmpty() ? FRONT : path.substring(1), request, response);
        }
    }

    /** As a servlet at the root sees it, the path is {@code /}, too; below {@code /console} the page would not find its files. */
    private void front(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (request.getServletPath().isEmpty()) {
            file(FRONT, request, response);
        } else {
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            response.setHeader("Location", "../console");
        }
    }

    private static String text(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }

    private void file(String name, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (!FILE.matcher(name).matches() || ConsoleServlet.class.getResource(name) == null) {
            answer(request, response, () -> {
                throw new NotFoundException("there is nothing at this path; the console is at "
                        + request.getContextPath() + request.getServletPath());
            });
            return;
        }
        response.setHeader("Cache-Control", "no-cache");
        if (!name.endsWith(".svg")) {
            response.setCharacterEncoding("utf-8");
        }
        super.doGet(request, response);
    }

    /** The file of a path, wherever this servlet is: the page itself at the servlet's own path. */
    @Override
    protected URL getResourceURL(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        return super.getResourceURL(DIRECTORY + (FILE.matcher(name).matches() ? name : FRONT));
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, Supplier<Object> answer)
            throws IOException {
        try {
            byte[] json = discretion.json(answer.get());
            response.setContentType("application/json");
            response.setContentLength(json.length);
            response.getOutputStream().write(json);
        } catch (RuntimeException e) {
            Problems.of(mistake(e)).write(Accepts.text(request), response);
        }
    }

    /** What somebody pasted in is that person's mistake. */
    private static RuntimeException mistake(RuntimeException e) {
        return e instanceof IllegalArgumentException || e instanceof UnreadableException
                ? new BadRequestException(e.getMessage(), e)
                : e;
    }
}
