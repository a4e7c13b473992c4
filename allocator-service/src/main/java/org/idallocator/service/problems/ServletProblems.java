package org.idallocator.service.problems;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** How the allocator's own servlets answer with a problem: in another program, the web server's errors look as that program likes. */
public final class ServletProblems {
    private ServletProblems() {}

    /** Answers as one line where {@code text} says so (see {@link Accepts}), else in JSON. */
    public static void write(Problem problem, boolean text, HttpServletResponse response) throws IOException {
        byte[] body = problem.body(text);
        problem.retryAfter().ifPresent(seconds -> response.setHeader("Retry-After", Long.toString(seconds)));
        response.setStatus(problem.status());
        response.setContentType(Problem.mediaType(text));
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }
}
