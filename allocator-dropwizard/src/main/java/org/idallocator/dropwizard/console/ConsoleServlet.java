package org.idallocator.dropwizard.console;

import com.google.common.io.Resources;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URL;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.RequestPermit;
import org.idallocator.dropwizard.problems.AcceptHeader;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;

/**
 * The console: the page at the servlet's own path, its files, {@code state} and {@code read} below that. Each address
 * in the page is relative to the directory that the page is in, so it works at {@code /} and {@code /console}, and
 * behind any prefix.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /** Nothing comes from elsewhere, nothing is inline, and no other page shows this one in a frame. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Nothing else is ever looked for, so that no name leads out of the directory. */
    private static final Pattern FILE = Pattern.compile("[a-z]+\\.(html|css|js|svg)");

    private final transient Console console;
    private final transient Supplier<Optional<ApplicationPort>> application;
    private final transient Visibility visibility;

    /**
     * The console of a port.
     *
     * @param application where the console of the application port is, on the admin port, on which operators can do
     *     something; empty on the application port itself, which is for everybody
     * @param visibility what the console tells
     */
    public ConsoleServlet(Console console, Supplier<Optional<ApplicationPort>> application, Visibility visibility) {
        this.console = console;
        this.application = application;
        this.visibility = visibility;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CommonHeaders.EVERYWHERE.putInto(response);
        CommonHeaders.AGAINST_OTHER_PAGES.putInto(response);
        response.setHeader("Content-Security-Policy", POLICY);
        try {
            answer(Objects.requireNonNullElse(request.getPathInfo(), ""), request, response);
        } catch (RuntimeException e) {
            Problems.of(e).write(AcceptHeader.prefersPlainText(request), response);
        }
    }

    /**
     * At the root the path of the page is {@code /}, and below {@code /console} the page would not find its files
     * there.
     */
    private void answer(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (path.equals("/state")) {
            Object state = console.state(text(request, "seen"), application.get(), visibility);
            write("application/json", visibility.json(state), response);
        } else if (path.equals("/read")) {
            String id = text(request, "id");
            RequestPermit.of(request).release(); // while ZooKeeper is asked
            Object reading = Problems.asBadRequest(() -> console.read(id, visibility));
            write("application/json", visibility.json(reading), response);
        } else if (path.equals("/") && !request.getServletPath().isEmpty()) {
            response.setStatus(HttpServletResponse.SC_MOVED_PERMANENTLY);
            response.setHeader("Location", "../console");
        } else {
            file(path.length() <= 1 ? "index.html" : path.substring(1), request, response);
        }
    }

    private static String text(HttpServletRequest request, String name) {
        return Objects.requireNonNullElse(request.getParameter(name), "");
    }

    /**
     * Files are few and small, and no browser keeps one: the page of an upgrade is never drawn by the scripts of
     * before.
     */
    private static void file(String name, HttpServletRequest request, HttpServletResponse response) throws IOException {
        URL file = FILE.matcher(name).matches() ? ConsoleServlet.class.getResource(name) : null;
        if (file == null) {
            throw new ApiException(
                    ProblemType.NOT_FOUND,
                    "there is nothing at this path; the console is at " + request.getContextPath()
                            + request.getServletPath());
        }
        response.setCharacterEncoding("utf-8");
        write(request.getServletContext().getMimeType(name), Resources.toByteArray(file), response);
    }

    private static void write(String type, byte[] body, HttpServletResponse response) throws IOException {
        response.setContentType(type);
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
