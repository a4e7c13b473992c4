package org.idallocator.dropwizard.api;

import java.util.List;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.lease.SchemeStatus;

/**
 * What a resume has done.
 *
 * @param resumed whether the replica was drained, and claims slots again now
 * @param fenced the schemes that do not serve now, and why; none where all serve
 */
public record ResumeReport(boolean resumed, List<Fenced> fenced) {

    /** A scheme that issues nothing: its state, such as {@code unreachable}, and the same in words. */
    public record Fenced(String scheme, String reason, String detail) {
        private static Fenced of(String scheme, FencedException why) {
            return new Fenced(scheme, why.reason().code(), String.valueOf(why.getMessage()));
        }
    }

    /** {@code statuses} are those of all schemes. */
    public static ResumeReport of(boolean resumed, List<SchemeStatus> statuses) {
        return new ResumeReport(
                resumed,
                statuses.stream()
                        .flatMap(status -> status.fenced().map(why -> Fenced.of(status.scheme(), why)).stream())
                        .toList());
    }
}
