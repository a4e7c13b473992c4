package org.idallocator.zk.lease;

import java.time.Duration;

/**
 * How long a slot's keeper waits before it claims again. The first loss is followed by a claim at once. Where tenures end as soon as
 * they begin, one after the other, each next claim waits twice as long, up to {@link #LONGEST}: whatever ends them, claims, writes and
 * lines in the log stay few. Confined to the lease loop's thread.
 */
final class ClaimPause {
    /** A tenure that ends sooner has hardly served. */
    static final Duration BRIEF = Duration.ofSeconds(1);

    /** What the second brief tenure in a row is followed by. */
    static final Duration SHORTEST = Duration.ofMillis(100);

    static final Duration LONGEST = Duration.ofSeconds(5);

    private int brief;

    /** How many nanoseconds the next claim waits after a tenure that served for so long. */
    long nanosAfter(long servedNanos) {
        if (servedNanos >= BRIEF.toNanos()) {
            brief = 0;
            return 0;
        }
        brief++;
        return brief == 1 ? 0 : Math.min(LONGEST.toNanos(), SHORTEST.toNanos() << Math.min(brief - 2, 10));
    }
}
