package org.idallocator.service.resources;

import jakarta.servlet.http.HttpServletRequest;
import org.idallocator.service.api.ResumeReport;
import org.idallocator.zk.IdAllocator;

/** {@code POST /tasks/resume}: ends a drain; slots that were given back are claimed again in the background. */
public final class ResumeServlet extends OperatorCalls {
    private static final long serialVersionUID = 1L;

    public ResumeServlet(IdAllocator allocator) {
        super(allocator);
    }

    @Override
    Answer call(IdAllocator replica, HttpServletRequest request) {
        boolean resumed = replica.resume();
        String line =
                resumed ? "resumed: slots that were given back are claimed again" : "not drained: nothing has changed";
        return new Answer(true, line, new ResumeReport(resumed));
    }
}
