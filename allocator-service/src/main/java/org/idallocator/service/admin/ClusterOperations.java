package org.idallocator.service.admin;

import com.google.common.base.Splitter;
import com.google.common.base.Strings;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.service.api.ClusterLeases;
import org.idallocator.service.api.MemberList;
import org.idallocator.service.decode.SlotText;
import org.idallocator.service.problems.ApiException;
import org.idallocator.service.problems.ProblemType;
import org.idallocator.service.problems.Problems;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.jspecify.annotations.Nullable;

/** What the admin port shows of the whole cluster, and changes there. All of it comes from ZooKeeper. Thread-safe. */
public record ClusterOperations(ClusterView cluster, List<Scheme<?>> schemes) {

    /** {@code /fleet}: the replicas whose sessions live. */
    public HttpServlet fleet() {
        return new AdminServlet("GET, HEAD, OPTIONS", (request, response) -> MemberList.of(cluster));
    }

    /**
     * {@code /leases}, {@code /leases/{scheme}} and {@code /leases/{scheme}/{slot}}: the leases. DELETE takes a slot away from its
     * holder.
     */
    public HttpServlet leases() {
        return new AdminServlet("DELETE, GET, HEAD, OPTIONS", (request, response) -> leases(request));
    }

    private Object leases(HttpServletRequest request) {
        List<String> path = Splitter.on('/').omitEmptyStrings().splitToList(Strings.nullToEmpty(request.getPathInfo()));
        if (request.getMethod().equals("DELETE")) {
            return revoke(path, request.getParameter("nonce"));
        }
        return switch (path.size()) {
            case 0 -> ClusterLeases.of(cluster, cluster.pools());
            case 1 ->
                ClusterLeases.of(
                        cluster, cluster.pool(leased(path.get(0))).stream().toList());
            case 2 -> cluster.lease(leased(path.get(0)), slot(path));
            default -> throw new ApiException(ProblemType.NOT_FOUND, "there is nothing below a slot");
        };
    }

    private LeaseView revoke(List<String> path, @Nullable String nonce) {
        if (path.size() != 2) {
            throw new ApiException(ProblemType.BAD_REQUEST, "DELETE takes /leases/{scheme}/{slot}");
        }
        if (Strings.isNullOrEmpty(nonce)) {
            throw new ApiException(
                    ProblemType.BAD_REQUEST, "nonce must be the holder's, as GET shows it: it is missing");
        }
        Scheme<?> scheme = leased(path.get(0));
        return switch (cluster.revoke(scheme, slot(path), nonce)) {
            case HELD_BY_ANOTHER ->
                throw new ApiException(ProblemType.CONFLICT, "the slot is held by another tenure than " + nonce);
            case GONE_ALREADY ->
                throw new ApiException(ProblemType.CONFLICT, "tenure " + nonce + " had left the slot already");
            case NOT_ITS_OWN ->
                throw new ApiException(
                        ProblemType.CONFLICT,
                        "nobody holds the slot, and tenure " + nonce + " was not the last to hold it");
            case DONE -> cluster.changed(scheme, slot(path));
        };
    }

    private Scheme<?> leased(String name) {
        return Schemes.leased(name, schemes);
    }

    private long slot(List<String> path) {
        SlotPool pool = leased(path.get(0)).pool().orElseThrow();
        return Problems.asBadRequest(() -> SlotText.read(pool, path.get(1)));
    }
}
