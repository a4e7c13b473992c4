package org.idallocator.bench.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Pause;
import org.idallocator.bench.Together;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** A fleet of replicas in this JVM, which draw snos. Each fleet has a root of its own. */
final class Replicas implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** One renewal later, nobody claims any more or looks at what was claimed. */
    private static final Duration SETTLED = Duration.ofSeconds(6);

    private static final int WARM_UPS = 3;
    private static final int OF_WARM_UP = 16;
    private static final double NANOS = 1e6;
    private static final double SECOND = 1e9;
    private static int roots;

    private final AllocatorSettings settings;
    private final int size;
    private final List<IdAllocator> open = new ArrayList<>();

    private Replicas(Ensemble ensemble, int size, Duration window) {
        List<Scheme<?>> sno = Schemes.of("sno");
        this.settings = AllocatorSettings.of(
                        sno, ZooKeeperSettings.of(ensemble.connect()).withRoot("/fleet-" + roots++))
                .withWindow(window);
        this.size = size;
    }

    /** Has this JVM and the servers compile what they run: replicas of a fleet are no processes of a moment. */
    static void warmUp(Ensemble ensemble) {
        for (int i = 0; i < WARM_UPS; i++) {
            var bare = BareSessions.millis(ensemble, OF_WARM_UP);
            var replicas = firstIdMillis(ensemble, OF_WARM_UP, Terms.WINDOW.usual());
        }
    }

    /** Starts a fleet, and ends it. */
    static Figures firstIdMillis(Ensemble ensemble, int size, Duration window) {
        try (Replicas replicas = new Replicas(ensemble, size, window)) {
            return replicas.start();
        }
    }

    /** Starts a fleet, has the replicas only renew for some seconds, and ends the fleet. */
    static Fleet.Measured measure(Ensemble ensemble, int size, Duration window, int seconds) {
        try (Replicas replicas = new Replicas(ensemble, size, window)) {
            Figures millis = replicas.start();
            Pause.of(SETTLED);
            Ensemble.Counted from = ensemble.counted();
            Pause.of(Duration.ofSeconds(seconds));
            Ensemble.Counted to = ensemble.counted();
            double each = size * (to.nanos() - from.nanos()) / SECOND;
            return new Fleet.Measured(
                    size,
                    millis,
                    (to.transactions() - from.transactions()) / each,
                    (to.requests() - from.requests()) / each);
        }
    }

    /** Starts all replicas together, and returns how long each took to its first ID. */
    private Figures start() {
        FirstStart.withoutWaiting(settings);
        CyclicBarrier together = new CyclicBarrier(size);
        List<Callable<Double>> starts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            AllocatorSettings own = settings.withReplica(Replica.named("replica-" + i, ""));
            starts.add(() -> {
                together.await();
                return firstIdMillis(own);
            });
        }
        return new Figures(Together.all(starts));
    }

    private double firstIdMillis(AllocatorSettings own) throws InterruptedException {
        long fromNanos = System.nanoTime();
        IdAllocator allocator = IdAllocator.connect(own);
        synchronized (open) {
            open.add(allocator);
        }
        allocator.awaitReady(PATIENCE);
        var unused = allocator.sno().next();
        return (System.nanoTime() - fromNanos) / NANOS;
    }

    @Override
    public void close() {
        List<Callable<Boolean>> ends = new ArrayList<>();
        open.forEach(allocator -> ends.add(() -> {
            allocator.close();
            return true;
        }));
        var unused = Together.all(ends);
    }
}
