package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.idallocator.service.api.Fleet;
import org.idallocator.service.cluster.ClusterWatch;
import org.idallocator.zk.operator.ClusterView;

/** {@code /fleet} on the admin port: the replicas whose sessions live, from ZooKeeper. */
public final class FleetServlet extends ClusterServlet {
    private static final long serialVersionUID = 1L;

    /** {@code failures} tells of outages, to which others may be witnesses as well. */
    public FleetServlet(ClusterView cluster, ClusterWatch watch) {
        super(cluster, watch);
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        answer(request, response, () -> Fleet.of(cluster()));
    }
}
