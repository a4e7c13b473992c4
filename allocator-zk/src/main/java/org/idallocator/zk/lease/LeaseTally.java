package org.idallocator.zk.lease;

import com.google.common.collect.Maps;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.core.fence.FenceReason;

/**
 * Counts what becomes of one scheme's leases on this replica. Thread-safe: what is read of different counts may be some
 * events apart.
 */
final class LeaseTally {
    private final LongAdder claims = new LongAdder();
    private final LongAdder tenures = new LongAdder();
    private final LongAdder failedRenewals = new LongAdder();
    private final LongAdder renewals = new LongAdder();
    private final LongAdder retriedRenewals = new LongAdder();
    private final LongAdder renewalNanos = new LongAdder();
    private final Map<FenceReason, LongAdder> fences =
            Maps.toMap(EnumSet.allOf(FenceReason.class), reason -> new LongAdder());

    /** Counts a slot that was claimed. */
    void countClaim() {
        claims.increment();
    }

    /** Counts a tenure that begins to serve. */
    void countTenure() {
        tenures.increment();
    }

    /** Counts a tenure that served and serves no more. */
    void countFence(FenceReason reason) {
        Objects.requireNonNull(fences.get(reason)).increment();
    }

    /** Counts a renewal of a tenure that was due, and was not confirmed. */
    void countFailedRenewal() {
        failedRenewals.increment();
    }

    /**
     * Counts a renewal that ZooKeeper has confirmed so long after it was sent; {@code retried}: not at the first try.
     */
    void countRenewal(long nanos, boolean retried) {
        (retried ? retriedRenewals : renewals).increment();
        renewalNanos.add(nanos);
    }

    /** What was counted so far, under the scheme's name. */
    LeaseCounts counts(String scheme) {
        return new LeaseCounts(
                scheme,
                claims.sum(),
                tenures.sum(),
                new LeaseCounts.Renewals(
                        renewals.sum(), retriedRenewals.sum(), failedRenewals.sum(), renewalNanos.sum()),
                Map.copyOf(Maps.transformValues(fences, LongAdder::sum)));
    }
}
