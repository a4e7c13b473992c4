package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.UnreachableException;

/** A servlet of the admin port whose answers come from ZooKeeper. */
abstract class ClusterServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient ClusterView cluster;
    private final transient ClusterWatch watch;

    ClusterServlet(ClusterView cluster, ClusterWatch watch) {
        this.cluster = cluster;
        this.watch = watch;
    }

    final ClusterView cluster() {
        return cluster;
    }

    /** Answers with JSON, or with the problem that {@code answer} throws. */
    final void answer(HttpServletResponse response, Supplier<Object> answer) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            write(response, 200, "application/json", answer.get());
            watch.answered();
        } catch (RuntimeException e) {
            Refusal refusal = RefusedRequest.because(e);
            if (e instanceof UnreachableException) {
                watch.failed(e);
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
