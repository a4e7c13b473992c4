package org.idallocator.zk.lease;

import java.util.Map;
import org.idallocator.core.fence.FenceReason;

/**
 * What has become of one scheme's leases on this replica since its start. No count ever falls. Immutable.
 *
 * @param scheme the scheme's name
 * @param claims how many slots were claimed
 * @param tenures how many claims began to serve; a claim does not if its ticks are still ahead when another tenure can
 *     go on
 * @param renewals what became of the tenures' renewals
 * @param fences how many tenures serve no more, by the reason. Every reason is a key, also {@code RELEASED} and
 *     {@code TENURE_ENDED}, with which tenures end in order
 */
public record LeaseCounts(String scheme, long claims, long tenures, Renewals renewals, Map<FenceReason, Long> fences) {

    /**
     * The renewals of a scheme's tenures. One transaction renews many tenures, and counts for each.
     *
     * @param atOnce how many ZooKeeper has confirmed at the first try
     * @param retried how many it has confirmed after a try that got no plain answer, or that it refused because of some
     *     slot
     * @param failed how often a tenure's renewal was due and was not confirmed; a renewal that is tried again and again
     *     counts each time
     * @param confirmedNanos how many nanoseconds all confirmed renewals took, each from sending the confirmed try to
     *     the answer
     */
    public record Renewals(long atOnce, long retried, long failed, long confirmedNanos) {

        /** How many ZooKeeper has confirmed, at whatever try. */
        public long confirmed() {
            return atOnce + retried;
        }
    }
}
