package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.api.AnswerMapper;
import org.idallocator.service.api.LeaseList;
import org.idallocator.service.failures.RepeatedFailures;
import org.idallocator.service.problems.Problem;
import org.idallocator.service.problems.Refusal;
import org.idallocator.service.problems.RefusedRequest;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /leases}, {@code /leases/{scheme}} and {@code /leases/{scheme}/{slot}} on the admin port: the leases of the whole
 * cluster, from ZooKeeper. DELETE takes a slot away from its holder.
 */
public final class ClusterLeasesServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLeasesServlet.class);
    private static final long serialVersionUID = 1L;
    private static final int CONFLICT = 409;

    private final transient RepeatedFailures failures = new RepeatedFailures(LOG);
    private final transient ClusterView cluster;
    private final transient List<Scheme<?>> schemes;

    public ClusterLeasesServlet(ClusterView cluster, List<Scheme<?>> schemes) {
        this.cluster = cluster;
        this.schemes = schemes;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, () -> read(path(request)));
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(response, () -> takeAway(path(request), request.getParameter("nonce")));
    }

    private static List<String> path(HttpServletRequest request) {
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        return Stream.of(path.split("/")).filter(part -> !part.isEmpty()).toList();
    }

    private Object read(List<String> path) {
        return switch (path.size()) {
            case 0 -> new LeaseList<>(cluster.leases());
            case 1 -> new LeaseList<>(cluster.leases(leased(path.get(0))));
            case 2 -> lease(path);
            default -> throw new NotFoundException("there is nothing below a slot");
        };
    }

    private LeaseView lease(List<String> path) {
        Scheme<?> scheme = leased(path.get(0));
        return cluster.lease(scheme, slot(scheme, path.get(1)));
    }

    private LeaseView takeAway(List<String> path, String nonce) {
        if (path.size() != 2) {
            throw new BadRequestException("DELETE takes /leases/{scheme}/{slot}");
        }
        if (nonce == null || nonce.isEmpty()) {
            throw new BadRequestException("nonce must be the holder's, as GET shows it: it is missing");
        }
        Scheme<?> scheme = leased(path.get(0));
        switch (cluster.takeAway(scheme, slot(scheme, path.get(1)), nonce)) {
            case HELD_BY_ANOTHER ->
                throw new ClientErrorException("the slot is held by another tenure than " + nonce, CONFLICT);
            case GONE_ALREADY ->
                throw new ClientErrorException("tenure " + nonce + " had left the slot already", CONFLICT);
            case DONE -> {}
        }
        return lease(path);
    }

    private Scheme<?> leased(String name) {
        return Schemes.leased(name, schemes);
    }

    private static long slot(Scheme<?> scheme, String name) {
        SlotPool pool = scheme.pool().orElseThrow();
        return Query.read(() -> pool.slotOf(name));
    }

    private void answer(HttpServletResponse response, Supplier<Object> answer) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        try {
            write(response, 200, "application/json", answer.get());
            failures.succeeded();
        } catch (RuntimeException e) {
            Refusal refusal = RefusedRequest.because(e);
            if (e instanceof UnreachableException) {
                failures.failed("ZooKeeper cannot be asked for leases", e);
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
