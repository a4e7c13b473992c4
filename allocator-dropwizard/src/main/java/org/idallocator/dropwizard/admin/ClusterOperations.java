package org.idallocator.dropwizard.admin;

import com.google.common.base.Strings;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpMethod;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.dropwizard.api.ClusterLeases;
import org.idallocator.dropwizard.api.MemberList;
import org.idallocator.dropwizard.api.RevocationReport;
import org.idallocator.dropwizard.decode.SlotText;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.dropwizard.problems.Problems;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.LeaseView;
import org.jspecify.annotations.Nullable;

/** The operations of the admin port on the whole cluster, which read and change ZooKeeper. Thread-safe. */
public final class ClusterOperations {
    private final Supplier<ClusterView> cluster;
    private final List<Scheme<?>> schemes;

    /**
     * Of those that {@code cluster} gives at a request.
     *
     * @param schemes those that are configured here
     */
    public ClusterOperations(Supplier<ClusterView> cluster, List<Scheme<?>> schemes) {
        this.cluster = cluster;
        this.schemes = schemes;
    }

    /** {@code /fleet}: the replicas whose sessions live. */
    public HttpServlet fleetServlet() {
        return new AdminServlet(
                EnumSet.of(HttpMethod.GET, HttpMethod.HEAD), (request, response) -> MemberList.of(cluster.get()));
    }

    /**
     * {@code /leases}, {@code /leases/{scheme}} and {@code /leases/{scheme}/{slot}}: the leases. DELETE takes a slot
     * away from its holder.
     */
    public HttpServlet leasesServlet() {
        return new AdminServlet(
                EnumSet.of(HttpMethod.DELETE, HttpMethod.GET, HttpMethod.HEAD), (request, response) -> leases(request));
    }

    private Object leases(HttpServletRequest request) {
        LeasesPath path = LeasesPath.of(request.getPathInfo());
        return HttpMethod.DELETE.is(request.getMethod()) ? revoke(path, request.getParameter("nonce")) : shown(path);
    }

    private Object shown(LeasesPath path) {
        ClusterView now = cluster.get();
        if (path instanceof LeasesPath.AllPools) {
            return ClusterLeases.of(now, now.pools());
        } else if (path instanceof LeasesPath.OnePool pool) {
            return ClusterLeases.of(
                    now, now.pool(leased(pool.scheme())).stream().toList());
        } else if (path instanceof LeasesPath.OneSlot slot) {
            return now.lease(leased(slot.scheme()), number(slot));
        }
        throw new ApiException(ProblemType.NOT_FOUND, "there is nothing below a slot");
    }

    private LeaseView revoke(LeasesPath path, @Nullable String nonce) {
        if (!(path instanceof LeasesPath.OneSlot slot)) {
            throw new ApiException(ProblemType.BAD_REQUEST, "DELETE takes /leases/{scheme}/{slot}");
        }
        if (Strings.isNullOrEmpty(nonce)) {
            throw new ApiException(
                    ProblemType.BAD_REQUEST, "nonce must be the holder's, as GET shows it: it is missing");
        }
        Scheme<?> scheme = leased(slot.scheme());
        long number = number(slot);
        ClusterView now = cluster.get();
        RevocationReport report = RevocationReport.of(now.revoke(scheme, number, nonce), nonce);
        if (!report.changed()) {
            throw new ApiException(ProblemType.CONFLICT, report.detail());
        }
        return now.changed(scheme, number);
    }

    private Scheme<?> leased(String name) {
        return Schemes.leased(name, schemes);
    }

    private long number(LeasesPath.OneSlot slot) {
        SlotPool pool = leased(slot.scheme()).pool().orElseThrow();
        return Problems.asBadRequest(() -> SlotText.read(pool, slot.slot()));
    }
}
