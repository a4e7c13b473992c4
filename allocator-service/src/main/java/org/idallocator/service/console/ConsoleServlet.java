package org.idallocator.service.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.NotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.idallocator.service.api.Discretion;
import org.idallocator.service.problems.Accepts;
import org.idallocator.service.problems.Problems;
import org.idallocator.service.reading.UnreadableException;

/**
 * The console: the page at the servlet's own path, its files, {@code state} and {@code read} below that. Each address in the page is
 * relative to the directory that the page is in, so it works at {@code /} and {@code /console}, and behind any prefix.
 */
public final class ConsoleServlet extends HttpServlet {
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

    private final transient Console console;
    private final transient Supplier<Optional<ApplicationPort>> application;
    private final transient Discretion discretion;

    private ConsoleServlet(Console console, Supplier<Optional<ApplicationPort>> application, Discretion discretion) {
        this.console = console;
        this.application = application;
        this.discretion = discretion;
    }

    /**
     * The console of the application port, which is for everybody: nothing on it names a tenure or changes anything.
     *
     * @param discretion what it tells
     */
    public static ConsoleServlet forEverybody(Console console, Discretion discretion) {
        return new ConsoleServlet(console, Optional::empty, discretion);
    }

    /**
     * The console of the admin port, with what operators can do.
     *
     * @param application where the console of the application port is
     */
    public static ConsoleServlet forOperators(Console console, Supplier<ApplicationPort> application) {
        return new ConsoleServlet(console, () -> Optional.of(application.get()), Discretion.NONE);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        HEADERS.forEach(response::setHeader);
        response.setHeader("Cache-Control", "no-store");
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        switch (path) {
            case "/state" ->
                answer(request, response, () -> console.state(text(request, "seen"), application.get(), discretion));
            case "/read" ->
                answer(request, response, () -> Reading.of(text(request, "id"), console.source(), discretion));
            case "/" -> front(request, response);
            default -> page(path.isEmpty() ? Page.FRONT : path.substring(1), request, response);
        }
    }

    /** As a servlet at the root sees it, the path is {@code /}, too; below {@code /console} the page would not find its files. */
    private void front(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getServletPath().isEmpty()) {
            page(Page.FRONT, request, response);
        } else {
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            response.setHeader("Location", "../console");
        }
    }

    private static String text(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }

    private void page(String name, HttpServletRequest request, HttpServletResponse response) throws IOException {
        Optional<Page> found = Page.named(name);
        if (found.isEmpty()) {
            answer(request, response, () -> {
                throw new NotFoundException("there is nothing at this path; the console is at "
                        + request.getContextPath() + request.getServletPath());
            });
            return;
        }
        Page page = found.get();
        response.setHeader("Cache-Control", "no-cache");
        response.setHeader("ETag", page.tag());
        String known = Objects.requireNonNullElse(request.getHeader("If-None-Match"), "");
        if (known.contains(page.tag())) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
        } else {
            write(response, HttpServletResponse.SC_OK, page.type(), page.text().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response, Supplier<Object> answer)
            throws IOException {
        try {
            write(response, HttpServletResponse.SC_OK, "application/json", discretion.json(answer.get()));
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

    private static void write(HttpServletResponse response, int status, String type, byte[] body) throws IOException {
        response.setStatus(status);
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
