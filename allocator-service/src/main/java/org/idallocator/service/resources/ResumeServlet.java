package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FencedException;
import org.idallocator.service.api.ResumeReport;
import org.idallocator.zk.IdAllocator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /tasks/resume}: ends a drain. Slots are claimed again in the background; the answer waits a moment for that, and names
 * the schemes that do not serve by then.
 */
public final class ResumeServlet extends OperatorCalls {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ResumeServlet.class);

    /** Where nothing is wrong, slots are claimed sooner. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    public ResumeServlet(IdAllocator allocator) {
        super(allocator);
    }

    @Override
    Answer call(IdAllocator replica, HttpServletRequest request) throws InterruptedException {
        boolean resumed = replica.resume();
        awaitMoment(replica);
        ResumeReport report = ResumeReport.of(
                resumed, replica.schemes().stream().map(replica::status).toList());
        return new Answer(true, line(report), report);
    }

    private static void awaitMoment(IdAllocator replica) throws InterruptedException {
        try {
            replica.awaitReady(MOMENT);
        } catch (FencedException e) {
            LOG.debug("the answer says which schemes do not serve yet", e);
        }
    }

    static String line(ResumeReport report) {
        if (report.fenced().isEmpty()) {
            return report.resumed() ? "resumed: all schemes serve" : "not drained: nothing has changed";
        }
        return (report.resumed() ? "resumed" : "not drained: nothing has changed") + "; not every scheme serves: "
                + report.fenced().stream()
                        .map(fenced -> fenced.scheme() + " (" + fenced.reason() + ": " + fenced.detail() + ")")
                        .collect(Collectors.joining(", "));
    }
}
