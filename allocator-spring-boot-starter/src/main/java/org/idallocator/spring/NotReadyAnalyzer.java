package org.idallocator.spring;

import org.idallocator.core.fence.FencedException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Says in words why a program does not start whose allocator does not serve in time. */
final class NotReadyAnalyzer extends AbstractFailureAnalyzer<FencedException> {
    @Override
    protected FailureAnalysis analyze(Throwable failure, FencedException cause) {
        String state = cause.reason().code();
        return new FailureAnalysis(
                "No IDs can be drawn. The state is " + state + ": " + cause.getMessage() + ".",
                "docs/operations.md#" + state + " says what to do. To wait longer for IDs, or not at all (0s), set "
                        + IdAllocatorProperties.PREFIX + ".start-timeout.",
                cause);
    }
}
