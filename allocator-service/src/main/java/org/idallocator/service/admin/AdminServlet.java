package org.idallocator.service.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.http.CommonHeaders;
import org.idallocator.service.http.RequestPermit;
import org.idallocator.service.problems.Accepts;
import org.idallocator.service.problems.ProblemType;
import org.idallocator.service.problems.Problems;

/** One operation on the admin port, as a servlet that answers with JSON. */
final class AdminServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final String methods;
    private final transient Operation operation;

    /** {@code methods} are those that the path takes, as {@code Allow} lists them. */
    AdminServlet(String methods, Operation operation) {
        this.methods = methods;
        this.operation = operation;
    }

    /**
     * Does what is asked for by one of the methods but OPTIONS, and returns what is answered; throws what {@link Problems} puts
     * into words.
     */
    interface Operation {
        Object answer(HttpServletRequest request, HttpServletResponse response) throws InterruptedException;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CommonHeaders.EVERYWHERE.putInto(response);
        String method = request.getMethod();
        if (!List.of(methods.split(", ", -1)).contains(method)) {
            response.setHeader("Allow", methods);
            Problems.of(ProblemType.METHOD_NOT_ALLOWED, "this path takes " + methods + ": " + method)
                    .write(Accepts.prefersPlainText(request), response);
        } else if (method.equals("OPTIONS")) {
            response.setHeader("Allow", methods);
        } else {
            answer(request, response);
        }
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        RequestPermit.of(request).release(); // what ZooKeeper takes, or a drain, is no work
        try {
            byte[] body = Visibility.OPERATOR.json(operation.answer(request, response));
            response.setContentType("application/json");
            response.getOutputStream().write(body);
        } catch (InterruptedException | RuntimeException e) { // the pool stops, and its thread ends with this request
            Problems.of(e).write(Accepts.prefersPlainText(request), response);
        }
    }
}
