package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.service.problems.ServletProblems;
import org.idallocator.zk.IdAllocator;

/**
 * A servlet of the admin port by which an operator has this replica do something. It takes POST alone, and answers with one line, or
 * with JSON where the request asks for that.
 */
abstract class OperatorCalls extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final int DONE = 200;
    private static final int UNDER_WAY = 202;

    /** How long a call waits for ZooKeeper. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private final transient IdAllocator allocator;

    OperatorCalls(IdAllocator allocator) {
        this.allocator = allocator;
    }

    /**
     * What came of a call.
     *
     * @param done whether all that was asked for has happened; if not, it is under way
     * @param line the same in words
     * @param json the same for programs
     */
    record Answer(boolean done, String line, Object json) {}

    /** Does what is asked for; throws what {@link Refusal} puts into words. */
    abstract Answer call(IdAllocator replica, HttpServletRequest request) throws InterruptedException;

    @Override
    protected final void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean json = wantsJson(request);
        response.setHeader("Cache-Control", "no-store");
        try {
            Answer answer = call(allocator, request);
            response.setStatus(answer.done() ? DONE : UNDER_WAY);
            write(response, json ? "application/json" : Problem.LINE_TYPE, json ? answer.json() : answer.line() + "\n");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            ServletProblems.write(RefusedRequest.because(new IllegalStateException(e)), !json, response);
        } catch (RuntimeException e) {
            ServletProblems.write(RefusedRequest.because(e), !json, response);
        }
    }

    private static void write(HttpServletResponse response, String type, Object body) throws IOException {
        response.setContentType(type);
        response.getOutputStream()
                .write(body instanceof String line ? line.getBytes(StandardCharsets.UTF_8) : AnswerMapper.bytes(body));
    }

    private static boolean wantsJson(HttpServletRequest request) {
        String accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains("json");
    }
}
