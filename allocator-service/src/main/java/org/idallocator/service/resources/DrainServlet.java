package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.ClientErrorException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.idallocator.service.api.DrainReport;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.lease.Drained;

/**
 * {@code POST /tasks/drain}: says that this replica is not ready, goes on answering for as long as load balancers take to notice, and
 * then refuses callers and gives all slots back.
 */
public final class DrainServlet extends OperatorCalls {
    private static final long serialVersionUID = 1L;
    private static final int CONFLICT = 409;

    private final transient Duration notice;

    /** {@code notice} is for how long callers are answered after this replica said that it is not ready. */
    public DrainServlet(IdAllocator allocator, Duration notice) {
        super(allocator);
        this.notice = notice;
    }

    @Override
    Answer call(IdAllocator replica, HttpServletRequest request) throws InterruptedException {
        Drained drained = replica.drain(notice, PATIENCE);
        if (drained.resumed()) {
            throw new ClientErrorException("not drained: this replica was resumed meanwhile", CONFLICT);
        }
        DrainReport report = DrainReport.of(drained);
        return new Answer(drained.givenBack(), line(report), report);
    }

    static String line(DrainReport report) {
        String slots = shown(report.slots());
        return report.givenBack()
                ? "drained: " + (slots.isEmpty() ? "no slot was held" : "gave back " + slots)
                        + "; resume lets this replica serve again"
                : "drained: nothing is issued; " + awaited(slots) + cause(report) + ", and this replica goes on trying";
    }

    private static String awaited(String slots) {
        return slots.isEmpty()
                ? "ZooKeeper has not answered yet"
                : "ZooKeeper has not confirmed yet that " + slots + " are given back";
    }

    private static String cause(DrainReport report) {
        return report.reason() == null ? "" : " (" + report.reason() + ": " + report.detail() + ")";
    }

    private static String shown(List<DrainReport.Slot> slots) {
        return slots.stream().map(slot -> slot.scheme() + " " + slot.slot()).collect(Collectors.joining(", "));
    }
}
