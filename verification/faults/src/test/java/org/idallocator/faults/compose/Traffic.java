package org.idallocator.faults.compose;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.ids.Receipts;
import org.idallocator.faults.load.Load;
import org.idallocator.faults.load.Route;
import org.idallocator.faults.load.Target;
import org.idallocator.faults.load.Track;

/**
 * Clients of all schemes that ask a load balancer, as long as a test lasts. Every answer other than 200 with all IDs is
 * a failure: nobody asks again. Of many IDs at a time they want fewer than what is streamed, as a load balancer cannot
 * ask for the rest of a stream.
 */
final class Traffic implements AutoCloseable {
    private static final long PAUSE_NANOS = 10_000_000;
    private static final long PAUSE_OF_MANY_NANOS = 100_000_000;
    private static final int SINGLES = 2;
    private static final Map<String, Integer> MANY =
            Map.of("sno", 1_000, "muid", 1_000, "eightbyte", 500, "uid60", 20, "gid", 100);

    private final String what;
    private final Receipts receipts;
    private final Load load;
    private final Track track;
    private final long startNanos = System.nanoTime();

    /** Begins; {@code receipts} are those of all traffic, one after the other. */
    Traffic(String what, URI address, Receipts receipts) {
        this.what = what;
        this.receipts = receipts;
        this.load = new Load(receipts);
        this.track = load.track("load balancer");
        Route route = Route.through(new Target(address, track));
        for (Scheme<?> scheme : Schemes.all()) {
            for (int i = 0; i < SINGLES; i++) {
                load.singles(scheme, PAUSE_NANOS, route);
            }
            load.many(scheme, MANY.getOrDefault(scheme.name(), 1), PAUSE_OF_MANY_NANOS, route);
        }
        awaitServed(Duration.ZERO);
    }

    /** Waits until a request of each scheme has been served that was sent so long from now, or later. */
    void awaitServed(Duration later) {
        long from = System.nanoTime() + later.toNanos();
        await("all schemes are served")
                .atMost(HangGuard.TIME.plus(later))
                .until(() -> Schemes.names().stream()
                        .allMatch(name -> track.phases(name).servedAfter(from).isPresent()));
    }

    /** No client asks again; waits for the answers that are due, and tells what they came to. */
    void finish() {
        load.awaitAnswers();
        System.out.printf(
                "compose: %s: %d s, %,d requests, %d failed, %,d IDs so far%n",
                what, (System.nanoTime() - startNanos) / 1_000_000_000, track.requests(), track.failed(), ids());
    }

    private long ids() {
        return receipts.tally().stream().mapToLong(Receipts.Tally::ids).sum();
    }

    /** Of requests, no more than a part may have failed, and no ID may equal another, also of earlier traffic. */
    void requireServed(double share) {
        assertTrue(
                track.failed() <= track.requests() * (1 - share),
                () -> track.failed() + " of " + track.requests() + " failed: singles " + track.singles() + ", many "
                        + track.batches());
        assertEquals(
                Map.of(),
                receipts.tally().stream()
                        .filter(tally -> tally.duplicates() > 0)
                        .collect(Collectors.toMap(Receipts.Tally::scheme, Receipts.Tally::examples)));
    }

    @Override
    public void close() {
        load.close();
    }
}
