package org.idallocator.faults.load;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.id.Id;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.faults.ids.Receipt;
import org.idallocator.faults.ids.Receipts;

/** One client: asks for so many IDs of one scheme, again and again. Confined to the thread that runs it. */
final class Client<T extends Id> {
    private static final long PAUSE_AFTER_FAILURE_NANOS = 20_000_000;

    private final Scheme<T> scheme;
    private final int count;
    private final long pauseNanos;
    private final Duration timeout;
    private final Asker asker;
    private final Route route;
    private final Receipts receipts;
    private final Map<Target, Receipt<T>> received = new HashMap<>();

    Client(Scheme<T> scheme, int count, long pauseNanos, Duration timeout, Asker asker, Route route, Receipts receipts) {
        this.scheme = scheme;
        this.count = count;
        this.pauseNanos = pauseNanos;
        this.timeout = timeout;
        this.asker = asker;
        this.route = route;
        this.receipts = receipts;
    }

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
                target,
                t -> receipts.open(scheme, lastMicros -> t.track().received(scheme.name(), lastMicros)));
    }
}
