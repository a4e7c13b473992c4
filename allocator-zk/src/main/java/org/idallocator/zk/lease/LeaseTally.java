package org.idallocator.zk.lease;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;

/**
 * Counts what becomes of one scheme's leases on this replica. Only the lease loop's thread counts, and any thread may read: what is
 * read of different counts may be some events apart.
 */
final class LeaseTally {
    private static final int CLAIMS = 0;
    private static final int TENURES = 1;
    private static final int RENEWALS = 2;
    private static final int FAILED_RENEWALS = 3;
    private static final int RENEWAL_NANOS = 4;
    private static final int COUNTS = 5;

    private final AtomicLongArray counts = new AtomicLongArray(COUNTS);
    private final AtomicLongArray fences = new AtomicLongArray(FenceReason.values().length);

    /** A slot was claimed. */
    void claimed() {
        counts.incrementAndGet(CLAIMS);
    }

    /** A tenure serves from now on. */
    void tenureBegan() {
        counts.incrementAndGet(TENURES);
    }

    /** A tenure that served serves no more. */
    void fenced(FenceReason reason) {
        fences.incrementAndGet(reason.ordinal());
    }

    /** ZooKeeper has confirmed a tenure's renewal, so long after that was sent. */
    void renewed(long nanos) {
        counts.incrementAndGet(RENEWALS);
        counts.addAndGet(RENEWAL_NANOS, nanos);
    }

    /** A tenure's renewal was due, and was not confirmed. */
    void renewalFailed() {
        counts.incrementAndGet(FAILED_RENEWALS);
    }

    /** What was counted so far, under the scheme's name. */
    LeaseCounts counts(String scheme) {
        Map<FenceReason, Long> byReason = Arrays.stream(FenceReason.values())
                .collect(Collectors.toMap(
                        reason -> reason,
                        reason -> fences.get(reason.ordinal()),
                        Long::sum,
                        () -> new EnumMap<>(FenceReason.class)));
        return new LeaseCounts(
                scheme,
                counts.get(CLAIMS),
                counts.get(TENURES),
                new LeaseCounts.Renewals(counts.get(RENEWALS), counts.get(FAILED_RENEWALS), counts.get(RENEWAL_NANOS)),
                byReason);
    }
}
