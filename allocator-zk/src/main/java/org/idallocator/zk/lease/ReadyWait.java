package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;

/**
 * Callers that wait until schemes serve. A waiting caller parks on the clock, and looks again in three cases: when
 * {@link #lookAgain} wakes it, as after each step of the lease thread; when the time has come that a refusal itself
 * names, because a clock reaches a floor without anybody's step; and when its own time is over. Thread-safe.
 */
final class ReadyWait {
    private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();

    private final Clock clock;
    private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();

    ReadyWait(Clock clock) {
        this.clock = clock;
    }

    /** The states of schemes may have changed: wakes all callers that wait. Never blocks. */
    void lookAgain() {
        waiting.forEach(clock::unpark);
    }

    /**
     * Returns when all of these schemes serve.
     *
     * @param statuses reads their states anew
     * @param timeout how long to wait at most; where it is not positive, the states are read once
     * @throws FencedException when the time is over, with the reason of the first scheme that does not serve; at once
     *     when the replica is closed
     * @throws InterruptedException when the thread is interrupted, before or while it waits
     */
    void await(Supplier<List<SchemeStatus>> statuses, Duration timeout) throws InterruptedException {
        long startNanos = clock.nanos();
        long allowedNanos = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout)); // some 292 years where it is longer
        waiting.add(Thread.currentThread()); // first: from now on no change goes by unseen
        try {
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while waiting for schemes to serve");
                }
                List<SchemeStatus> refused = statuses.get().stream()
                        .filter(status -> !status.active())
                        .toList();
                if (refused.isEmpty()) {
                    return;
                }
                long leftNanos = allowedNanos - (clock.nanos() - startNanos);
                clock.park(nanosToPark(refused.get(0), leftNanos, allowedNanos));
            }
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }

    /** How long to park at most before looking again. Throws when waiting is over, or of no use. */
    private static long nanosToPark(SchemeStatus refused, long leftNanos, long allowedNanos) {
        FencedException why = refused.fenced().orElseThrow();
        if (why.reason() == FenceReason.CLOSED) {
            throw why.forCaller();
        }
        if (leftNanos <= 0) {
            String detail = refused.scheme() + " did not serve within " + TimeUnit.NANOSECONDS.toMillis(allowedNanos)
                    + " ms: " + why.getMessage();
            throw new FencedException(why.reason(), detail, why.retryAfter()).forCaller();
        }
        long hintNanos = Math.max(SHORTEST_NANOS, TimeUnit.NANOSECONDS.convert(why.retryAfter()));
        return Math.min(leftNanos, hintNanos);
    }
}
