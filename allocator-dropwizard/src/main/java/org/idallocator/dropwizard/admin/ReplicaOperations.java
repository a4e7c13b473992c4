package org.idallocator.dropwizard.admin;

import com.google.common.base.Strings;
import jakarta.servlet.http.HttpServlet;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpMethod;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.dropwizard.api.DrainReport;
import org.idallocator.dropwizard.api.ResumeReport;
import org.idallocator.dropwizard.api.RotationReport;
import org.idallocator.dropwizard.problems.ApiException;
import org.idallocator.dropwizard.problems.ProblemType;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.Rotated;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of the admin port on this replica, by POST. The answer is JSON; its status is 202 while something is
 * still under way, else 200. Thread-safe.
 */
public final class ReplicaOperations {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaOperations.class);

    /** How long a call waits for ZooKeeper before it answers with 202. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** How long a resume waits for slots. Slots are claimed sooner unless something is wrong. */
    private static final Duration READY_PATIENCE = Duration.ofSeconds(2);

    private final IdAllocator replica;
    private final Duration notice;

    /**
     * {@code notice} is how long a replica that is being drained goes on answering after it has said that it is not
     * ready.
     */
    public ReplicaOperations(IdAllocator replica, Duration notice) {
        this.replica = replica;
        this.notice = notice;
    }

    /**
     * {@code /tasks/drain}: says that this replica is not ready, goes on answering until load balancers have noticed,
     * and then refuses callers and gives all slots back.
     */
    public HttpServlet drainServlet() {
        return new AdminServlet(EnumSet.of(HttpMethod.POST), (request, response) -> {
            Drained drained = replica.drain(notice, PATIENCE);
            if (drained.resumed()) {
                throw new ApiException(ProblemType.CONFLICT, "not drained: this replica was resumed meanwhile");
            }
            response.setStatus(drained.givenBack() ? 200 : 202);
            return DrainReport.of(drained);
        });
    }

    /**
     * {@code /tasks/resume}: ends a drain. Slots are claimed again in the background. The answer waits for them for a
     * moment, and names the schemes that do not serve by then.
     */
    public HttpServlet resumeServlet() {
        return new AdminServlet(EnumSet.of(HttpMethod.POST), (request, response) -> {
            boolean resumed = replica.resume();
            try {
                replica.awaitReady(READY_PATIENCE);
            } catch (FencedException e) {
                LOG.debug("the answer says which schemes do not serve yet", e);
            }
            return ResumeReport.of(
                    resumed, replica.schemes().stream().map(replica::status).toList());
        });
    }

    /**
     * {@code /tasks/rotate?scheme=NAME}: changes the slots that this replica holds of a scheme for others, without a
     * gap.
     */
    public HttpServlet rotateServlet() {
        return new AdminServlet(EnumSet.of(HttpMethod.POST), (request, response) -> {
            Scheme<?> scheme = scheme(request.getParameter("scheme"));
            Optional<List<Rotated>> rotated = replica.rotate(scheme, PATIENCE);
            response.setStatus(rotated.isPresent() ? 200 : 202);
            return new RotationReport(scheme.name(), rotated.isPresent(), rotated.orElse(List.of()));
        });
    }

    private Scheme<?> scheme(@Nullable String name) {
        if (Strings.isNullOrEmpty(name)) {
            throw new ApiException(ProblemType.BAD_REQUEST, "scheme must be one of those in /leases: it is missing");
        }
        return Schemes.leased(name, replica.schemes());
    }
}
