package org.idallocator.service.admin;

import com.google.common.base.Strings;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.idallocator.service.api.Json;
import org.idallocator.service.problems.Accepts;
import org.idallocator.service.problems.Problems;
import org.jspecify.annotations.Nullable;

/** One operation on the admin port, as a servlet: it answers with JSON, or with one line where it has one and no JSON is asked for. */
final class AdminServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String methods;
    private final boolean hasLines;
    private final transient Operation operation;

    /** {@code methods} are those that the path takes, as {@code Allow} lists them; {@code hasLines} says that the answers have lines. */
    AdminServlet(String methods, boolean hasLines, Operation operation) {
        this.methods = methods;
        this.hasLines = hasLines;
        this.operation = operation;
    }

    /** Does what is asked for by one of the methods but OPTIONS; throws what {@link Problems} puts into words. */
    interface Operation {
        Answer answer(HttpServletRequest request) throws InterruptedException;
    }

    /**
     * What came of a request.
     *
     * @param done whether all that was asked for has happened; if not, it is under way
     * @param line what is said to people; null where JSON is all there is
     * @param json the same for programs
     */
    record Answer(boolean done, @Nullable String line, Object json) {}

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        String method = request.getMethod();
        if (!List.of(methods.split(", ", -1)).contains(method)) {
            response.setHeader("Allow", methods);
            Problems.of(405, "this path takes " + methods + ": " + method).write(Accepts.text(request), response);
        } else if (method.equals("OPTIONS")) {
            response.setHeader("Allow", methods);
        } else {
            answer(request, response);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String accept = Strings.nullToEmpty(request.getHeader("Accept")).toLowerCase(Locale.ROOT);
        boolean text = hasLines ? !accept.contains("json") : Accepts.text(request);
        try {
            Answer answer = operation.answer(request);
            boolean json = !text || answer.line() == null;
            String body = json ? Json.line(answer.json()) : answer.line() + "\n";
            response.setStatus(answer.done() ? 200 : 202);
            response.setContentType(json ? "application/json" : "text/plain;charset=utf-8");
            response.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
        } catch (InterruptedException | RuntimeException e) { // the pool stops, and its thread ends with this request
            Problems.of(e).write(text, response);
        }
    }
}
