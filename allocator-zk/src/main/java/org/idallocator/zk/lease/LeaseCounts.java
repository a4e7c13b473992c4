package org.idallocator.zk.lease;

import java.util.Map;
import org.idallocator.core.fence.FenceReason;

/**
 * What has become of one scheme's leases on this replica since its start. No count ever falls. Immutable.
 *
 * @param scheme the scheme's name
 * @param claims how many slots were claimed
 * @param tenures how many of the claims began to serve: all but those whose ticks were still ahead when another tenure could go on
 * @param renewals what became of the tenures' renewals
 * @param fences how many tenures have served and serve no more, by the reason; every reason is there, also those of tenures that
 *     ended in order ({@code RELEASED}, {@code TENURE_ENDED})
 */
public record LeaseCounts(String scheme, long claims, long tenures, Renewals renewals, Map<FenceReason, Long> fences) {

    /**
     * The renewals of a scheme's tenures. One transaction renews many tenures, and counts for each.
     *
     * @param atOnce how many ZooKeeper has confirmed at the first try
     * @param retried how many it has confirmed after a try that got no plain answer
     * @param failed how often a tenure's renewal was due and was not confirmed; a renewal that is tried again and again counts each time
     * @param confirmedNanos how long the confirmed ones took together, each from sending the try that was confirmed to the answer
     */
    public record Renewals(long atOnce, long retried, long failed, long confirmedNanos) {

        /** How many ZooKeeper has confirmed, at whatever try. */
        public long confirmed() {
            return atOnce + retried;
        }
    }
}
