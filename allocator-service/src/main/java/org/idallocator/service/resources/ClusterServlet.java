package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.function.Supplier;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.service.problems.ServletProblems;
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
    final void answer(HttpServletRequest request, HttpServletResponse response, Supplier<Object> answer)
            throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            write(response, answer.get());
            watch.answered();
        } catch (RuntimeException e) {
            if (e instanceof UnreachableException) {
                watch.failed(e);
            }
            ServletProblems.refuse(RefusedRequest.because(e), request, response);
        }
    }

    private static void write(HttpServletResponse response, Object body) throws IOException {
        byte[] bytes = AnswerMapper.bytes(body);
        response.setContentType("application/json");
        response.getOutputStream().write(bytes);
    }
}
