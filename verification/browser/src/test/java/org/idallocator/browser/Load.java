package org.idallocator.browser;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Clients that draw IDs from replicas over HTTP, one for each scheme of each replica. How many IDs a client asks for
 * rises and falls, so that somebody who looks at the console sees rates that change. From start to close.
 */
final class Load implements AutoCloseable {
    private static final int EVERY_MILLIS = 100;

    /** A large wave takes a minute, and a small one upon it 7 s. */
    private static final double LARGE_WAVE = 60_000.0 / EVERY_MILLIS;

    private static final double SMALL_WAVE = 7_000.0 / EVERY_MILLIS;
    private static final double LARGE_PART = 0.3;
    private static final double SMALL_PART = 0.1;

    private final ScheduledExecutorService clients;

    /** What each client does; done only if it has failed. */
    private final List<ScheduledFuture<?>> draws;

    private Load(ScheduledExecutorService clients, List<ScheduledFuture<?>> draws) {
        this.clients = clients;
        this.draws = draws;
    }

    /**
     * Begins to draw.
     *
     * @param perSecond how many IDs a second of each scheme each replica is asked for, on average: 10 at least
     */
    static Load start(List<ReplicaProcess> replicas, Map<String, Integer> perSecond) {
        ScheduledExecutorService clients = Executors.newScheduledThreadPool(replicas.size() * perSecond.size());
        List<ScheduledFuture<?>> draws = new ArrayList<>();
        for (ReplicaProcess replica : replicas) {
            perSecond.forEach((scheme, average) -> {
                AtomicInteger asked = new AtomicInteger(average); // so that the schemes do not rise together
                draws.add(clients.scheduleWithFixedDelay( // which does not catch up after a pause, in a burst
                        () -> Answers.text(
                                replica, "/ids/" + scheme + "?count=" + count(average, asked.getAndIncrement())),
                        0,
                        EVERY_MILLIS,
                        TimeUnit.MILLISECONDS));
            });
        }
        return new Load(clients, draws);
    }

    private static long count(int perSecond, int time) {
        double average = perSecond * EVERY_MILLIS / 1_000.0;
        double waves = LARGE_PART * wave(time / LARGE_WAVE) + SMALL_PART * wave(time / SMALL_WAVE);
        return Math.max(1, Math.round(average * (1 + waves)));
    }

    private static double wave(double periods) {
        return Math.sin(2 * Math.PI * periods);
    }

    @Override
    public void close() {
        assertTrue(draws.stream().noneMatch(ScheduledFuture::isDone), "a client has failed, and drew no more");
        clients.shutdown();
        assertTrue(assertDoesNotThrow(() -> clients.awaitTermination(HangGuard.TIME.toSeconds(), TimeUnit.SECONDS)));
    }
}
