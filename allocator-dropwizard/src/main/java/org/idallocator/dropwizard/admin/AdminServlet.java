package org.idallocator.dropwizard.admin;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpMethod;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.http.CommonHeaders;
import org.idallocator.dropwizard.http.RequestPermit;
import org.idallocator.dropwizard.problems.AcceptHeader;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;

/** One operation on the admin port, as a servlet that answers with JSON. */
final class AdminServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final EnumSet<HttpMethod> methods;
    private final transient Operation operation;

    /** A servlet that takes {@code methods}, and OPTIONS as well. */
    AdminServlet(EnumSet<HttpMethod> methods, Operation operation) {
        this.methods = EnumSet.of(HttpMethod.OPTIONS);
        this.methods.addAll(methods);
        this.operation = operation;
    }

    /**
     * Handles a request of any of the methods but OPTIONS; returns the answer, which becomes JSON. {@link Problems}
     * turns what this throws into an answer.
     */
    interface Operation {
        Object answer(HttpServletRequest request, HttpServletResponse response) throws InterruptedException;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CommonHeaders.EVERYWHERE.putInto(response);
        HttpMethod method = HttpMethod.fromString(request.getMethod());
        if (method == null || !methods.contains(method)) {
            response.setHeader("Allow", allowed());
            Problems.of(ProblemType.METHOD_NOT_ALLOWED, "this path takes " + allowed() + ": " + request.getMethod())
                    .write(AcceptHeader.prefersPlainText(request), response);
        } else if (method == HttpMethod.OPTIONS) {
            response.setHeader("Allow", allowed());
        } else {
            answer(request, response);
        }
    }

    /** The methods by their names in order. */
    private String allowed() {
        return methods.stream().map(HttpMethod::asString).collect(Collectors.joining(", "));
    }

    private void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        RequestPermit.of(request).release(); // waiting for ZooKeeper, or for a drain, is no work
        try {
            byte[] body = Visibility.OPERATOR.json(operation.answer(request, response));
            response.setContentType("application/json");
            response.getOutputStream().write(body);
        } catch (RuntimeException e) {
            Problems.logAndDescribe(e).write(AcceptHeader.prefersPlainText(request), response);
        } catch (InterruptedException e) { // the pool stops, and its thread must see the interrupt
            Problems.logAndDescribe(e).write(AcceptHeader.prefersPlainText(request), response);
            Thread.currentThread().interrupt();
        }
    }
}
