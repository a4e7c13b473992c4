package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.failures.RepeatedFailures;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A servlet of the admin port whose answers come from ZooKeeper. */
abstract class ClusterServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterServlet.class);
    private static final long serialVersionUID = 1L;

    private final transient RepeatedFailures failures = new RepeatedFailures(LOG);
    private final transient ClusterView cluster;

    ClusterServlet(ClusterView cluster) {
        this.cluster = cluster;
    }

    final ClusterView cluster() {
        return cluster;
    }

    /** Answers with JSON, or with the problem that {@code answer} throws. */
    final void answer(HttpServletResponse response, Supplier<Object> answer) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            write(response, 200, "application/json", answer.get());
            failures.succeeded();
        } catch (RuntimeException e) {
            Refusal refusal = RefusedRequest.because(e);
            if (e instanceof UnreachableException) {
                failures.failed("ZooKeeper cannot be asked for what the cluster does", e);
            }
            refusal.retryAfter().ifPresent(seconds -> response.setHeader("Retry-After", Long.toString(seconds)));
            write(response, refusal.problem().status(), Problem.MEDIA_TYPE, refusal.problem());
        }
    }

    private static void write(HttpServletResponse response, int status, String type, Object body) throws IOException {
        byte[] bytes = AnswerMapper.bytes(body);
        response.setStatus(status);
        response.setContentType(type);
        response.getOutputStream().write(bytes);
    }
}
