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
 * The console: its page at the servlet's own path, and its files, {@code state} and {@code read} below that path. All
 * addresses in the page are relative, so the page works at {@code /}, at {@code /console}, and behind any prefix.
 */
public final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    /**
     * Allows scripts, styles and images of the page's own origin alone, nothing inline, and no frame around the page.
     */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** The names of the console's files. No other name is looked up, so that no name leads out of the directory. */
    private static final Pattern FILE = Pattern.compile("[a-z]+\\.(html|css|js|svg)");

    private final transient Console console;
    private final transient Supplier<Optional<ApplicationPort>> application;
    private final transient Visibility visibility;

    /**
     * The console of a port.
     *
     * @param application where the console of the application port is. Gives a value on the admin port, on which
     *     operators act; empty on the application port, which is for everybody
     * @param visibility whether the console tells whereabouts
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
            Problems.logAndDescribe(e).write(AcceptHeader.prefersPlainText(request), response);
        }
    }

    /**
     * Answers a path. {@code /console/} is redirected to {@code /console}, because the page's relative addresses would
     * lead nowhere there. At the root, {@code /} is the page itself.
     */
    private void answer(String path, HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (path.equals("/state")) {
            Object state = console.state(text(request, "seen"), application.get(), visibility);
            write("application/json", visibility.json(state), response);
        } else if (path.equals("/read")) {
            String id = text(request, "id");
            RequestPermit.of(request).release(); // waiting for ZooKeeper is no work
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
     * Answers with a file. The files are few and small, and no browser caches them, so that scripts of an earlier
     * version never draw the page of a later one.
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
