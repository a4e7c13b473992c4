package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import jakarta.ws.rs.NotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.api.ClusterLeases;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.service.text.SlotText;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;

/**
 * {@code /leases}, {@code /leases/{scheme}} and {@code /leases/{scheme}/{slot}} on the admin port: the leases of the whole
 * cluster, from ZooKeeper. DELETE takes a slot away from its holder.
 */
public final class ClusterLeasesServlet extends ClusterServlet {
    private static final long serialVersionUID = 1L;
    private static final int CONFLICT = 409;

    private final transient List<Scheme<?>> schemes;

    /** {@code failures} tells of outages, to which others may be witnesses as well. */
    public ClusterLeasesServlet(ClusterView cluster, List<Scheme<?>> schemes, ClusterWatch watch) {
        super(cluster, watch);
        this.schemes = schemes;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, () -> read(path(request)));
    }

    @Override
    protected void doDelete(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, () -> takeAway(path(request), request.getParameter("nonce")));
    }

    private static List<String> path(HttpServletRequest request) {
        String path = Objects.requireNonNullElse(request.getPathInfo(), "");
        return Stream.of(path.split("/")).filter(part -> !part.isEmpty()).toList();
    }

    private Object read(List<String> path) {
        return switch (path.size()) {
            case 0 -> ClusterLeases.of(cluster(), cluster().pools());
            case 1 ->
                ClusterLeases.of(
                        cluster(), cluster().pool(leased(path.get(0))).stream().toList());
            case 2 -> lease(path);
            default -> throw new NotFoundException("there is nothing below a slot");
        };
    }

    private LeaseView lease(List<String> path) {
        Scheme<?> scheme = leased(path.get(0));
        return cluster().lease(scheme, slot(scheme, path.get(1)));
    }

    private LeaseView takeAway(List<String> path, String nonce) {
        if (path.size() != 2) {
            throw new BadRequestException("DELETE takes /leases/{scheme}/{slot}");
        }
        if (nonce == null || nonce.isEmpty()) {
            throw new BadRequestException("nonce must be the holder's, as GET shows it: it is missing");
        }
        Scheme<?> scheme = leased(path.get(0));
        long slot = slot(scheme, path.get(1));
        switch (cluster().takeAway(scheme, slot, nonce)) {
            case HELD_BY_ANOTHER ->
                throw new ClientErrorException("the slot is held by another tenure than " + nonce, CONFLICT);
            case GONE_ALREADY ->
                throw new ClientErrorException("tenure " + nonce + " had left the slot already", CONFLICT);
            case NOT_ITS_OWN ->
                throw new ClientErrorException(
                        "nobody holds the slot, and tenure " + nonce + " was not the last to hold it", CONFLICT);
            case DONE -> {}
        }
        return cluster().changed(scheme, slot);
    }

    private Scheme<?> leased(String name) {
        return Schemes.leased(name, schemes);
    }

    private static long slot(Scheme<?> scheme, String name) {
        SlotPool pool = scheme.pool().orElseThrow();
        return Query.read(() -> SlotText.read(pool, name));
    }
}
