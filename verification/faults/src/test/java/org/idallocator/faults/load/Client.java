package org.idallocator.faults.load;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.faults.ids.Receipt;
import org.idallocator.faults.ids.Receipts;

/**
 * One client: asks for so many IDs of one scheme, again and again. Confined to the thread that runs it.
 *
 * @param timeout how long an answer may take to begin
 * @param received from whom what came
 */
record Client<T extends Id>(
        Scheme<T> scheme,
        int count,
        long pauseNanos,
        Duration timeout,
        Asker asker,
        Route route,
        Receipts receipts,
        Map<Target, Receipt<T>> received) {
    private static final long PAUSE_AFTER_FAILURE_NANOS = 20_000_000;

    /** One request. */
    void ask() {
        long sent = System.nanoTime();
        Outcome outcome = route.send(target -> asker.ask(target.uri(), count, timeout, receipt(target)));
        if (count == 1) {
            route.track().single(scheme.name(), outcome, sent, System.nanoTime());
        } else {
            route.track().batch(outcome);
        }
        LockSupport.parkNanos(outcome.ok() ? pauseNanos : Math.max(pauseNanos, PAUSE_AFTER_FAILURE_NANOS));
    }

    private Receipt<T> receipt(Target target) {
        return received.computeIfAbsent(
                target, t -> receipts.open(scheme, lastMicros -> t.track().received(scheme.name(), lastMicros)));
    }
}
