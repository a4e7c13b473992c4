package org.idallocator.zk.lease;

import com.google.common.collect.Maps;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.core.fence.FenceReason;

/**
 * Counts what becomes of one scheme's leases on this replica. Thread-safe: what is read of different counts may be some events
 * apart.
 */
final class LeaseTally {
    /** The slots that were claimed. */
    final LongAdder claims = new LongAdder();

    /** The tenures that began to serve. */
    final LongAdder tenures = new LongAdder();

    /** The renewals of tenures that were due, and were not confirmed. */
    final LongAdder failedRenewals = new LongAdder();

    private final LongAdder renewals = new LongAdder();
    private final LongAdder retriedRenewals = new LongAdder();
    private final LongAdder renewalNanos = new LongAdder();
    private final Map<FenceReason, LongAdder> fences =
            Maps.toMap(EnumSet.allOf(FenceReason.class), reason -> new LongAdder());

    /** A tenure that served serves no more. */
    void fenced(FenceReason reason) {
        Objects.requireNonNull(fences.get(reason)).increment();
    }

    /** ZooKeeper has confirmed a tenure's renewal, so long after that was sent; {@code retried}: not at the first try. */
    void renewed(long nanos, boolean retried) {
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
