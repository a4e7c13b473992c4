package org.idallocator.service.admin;

import com.google.common.base.Strings;
import jakarta.servlet.http.HttpServlet;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ClientErrorException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.admin.AdminServlet.Answer;
import org.idallocator.service.api.DrainReport;
import org.idallocator.service.api.ResumeReport;
import org.idallocator.service.api.RotationReport;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.Drained;
import org.idallocator.zk.lease.Rotated;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an operator has this replica do, by POST to the admin port. The answer is one line, or JSON where the request asks for that, and
 * its status 202 while something is still under way. Thread-safe.
 */
public final class ReplicaOperations {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaOperations.class);
    private static final String METHODS = "OPTIONS, POST";

    /** How long a call waits for ZooKeeper. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Where nothing is wrong, slots are claimed sooner. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private final IdAllocator replica;
    private final Duration notice;

    /** {@code notice} is for how long callers are answered after this replica said that it is not ready. */
    public ReplicaOperations(IdAllocator replica, Duration notice) {
        this.replica = replica;
        this.notice = notice;
    }

    /**
     * {@code /tasks/drain}: says that this replica is not ready, goes on answering for as long as load balancers take to notice, and then
     * refuses callers and gives all slots back.
     */
    public HttpServlet drain() {
        return new AdminServlet(METHODS, true, request -> {
            Drained drained = replica.drain(notice, PATIENCE);
            if (drained.resumed()) {
                throw new ClientErrorException("not drained: this replica was resumed meanwhile", 409);
            }
            DrainReport report = DrainReport.of(drained);
            return new Answer(drained.givenBack(), line(report), report);
        });
    }

    /**
     * {@code /tasks/resume}: ends a drain. Slots are claimed again in the background; the answer waits a moment for that, and names the
     * schemes that do not serve by then.
     */
    public HttpServlet resume() {
        return new AdminServlet(METHODS, true, request -> {
            boolean resumed = replica.resume();
            try {
                replica.awaitReady(MOMENT);
            } catch (FencedException e) {
                LOG.debug("the answer says which schemes do not serve yet", e);
            }
            ResumeReport report = ResumeReport.of(
                    resumed, replica.schemes().stream().map(replica::status).toList());
            return new Answer(true, line(report), report);
        });
    }

    /** {@code /tasks/rotate?scheme=NAME}: changes the slots that this replica holds of a scheme for others, without a gap. */
    public HttpServlet rotate() {
        return new AdminServlet(METHODS, true, request -> {
            Scheme<?> scheme = scheme(request.getParameter("scheme"));
            Optional<List<Rotated>> rotated = replica.rotate(scheme, PATIENCE);
            boolean done = rotated.isPresent();
            RotationReport report = new RotationReport(scheme.name(), done, rotated.orElse(List.of()));
            return new Answer(done, line(scheme, rotated), report);
        });
    }

    static String line(DrainReport report) {
        String slots = report.slots().stream()
                .map(slot -> slot.scheme() + " " + slot.slot())
                .collect(Collectors.joining(", "));
        if (report.givenBack()) {
            return "drained: " + (slots.isEmpty() ? "no slot was held" : "gave back " + slots)
                    + "; resume lets this replica serve again";
        }
        return "drained: nothing is issued; "
                + (slots.isEmpty()
                        ? "ZooKeeper has not answered yet"
                        : "ZooKeeper has not confirmed yet that " + slots + " are given back")
                + (report.reason() == null ? "" : " (" + report.reason() + ": " + report.detail() + ")")
                + ", and this replica goes on trying";
    }

    private static String line(ResumeReport report) {
        String fenced = report.fenced().stream()
                .map(each -> each.scheme() + " (" + each.reason() + ": " + each.detail() + ")")
                .collect(Collectors.joining(", "));
        String said = report.resumed() ? "resumed" : "not drained: nothing has changed";
        if (fenced.isEmpty()) {
            return report.resumed() ? said + ": all schemes serve" : said;
        }
        return said + "; not every scheme serves: " + fenced;
    }

    /** What is said of a rotation; empty where ZooKeeper has not answered in time. */
    static String line(Scheme<?> scheme, Optional<List<Rotated>> rotated) {
        return rotated.map(slots -> "rotated: " + Rotated.inWords(slots))
                .orElse("rotating " + scheme.name()
                        + ": ZooKeeper has not answered yet; if it does, the slots are changed, and if it fails, all stays"
                        + " as it is: /leases tells");
    }

    private Scheme<?> scheme(@Nullable String name) {
        if (Strings.isNullOrEmpty(name)) {
            throw new BadRequestException("scheme must be one of "
                    + Schemes.leased(replica.schemes()).stream()
                            .map(Scheme::name)
                            .collect(Collectors.joining(", "))
                    + ": it is missing");
        }
        return Schemes.leased(name, replica.schemes());
    }
}
