package org.idallocator.faults.load;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.idallocator.zk.testing.Probe;

/**
 * Does what config/load-balancer/haproxy.cfg says: asks every replica twice a second whether it is ready, takes in turn
 * those that are, and asks up to three others when nothing of an answer came or it was a 503.
 */
public final class Balancer implements Route, AutoCloseable {
    private static final long INTERVAL_NANOS = 500_000_000;

    private static final int RETRIES = 3;

    private final List<Target> replicas;
    private final Track track;
    private final AtomicInteger turn = new AtomicInteger();
    private final Thread prober = new Thread(this::run, "load-balancer");
    private volatile List<Target> ready = List.of();
    private volatile boolean closed;

    Balancer(List<Target> replicas, Track track) {
        this.replicas = List.copyOf(replicas);
        this.track = track;
        prober.setDaemon(true);
        prober.start();
    }

    private void run() {
        while (!closed) {
            ready = replicas.parallelStream().filter(Balancer::isReady).toList();
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    private static boolean isReady(Target replica) {
        return Probe.get(replica.uri().resolve("/health-check?name=all"))
                .filter(answer -> answer.statusCode() == 200)
                .isPresent();
    }

    /** Those that said so when they were last asked. */
    public List<Target> ready() {
        return ready;
    }

    @Override
    public Outcome send(Function<Target, Outcome> request) {
        Outcome outcome = Outcome.NOBODY;
        for (int attempt = 0; attempt <= RETRIES && outcome.again(); attempt++) {
            List<Target> candidates = ready;
            if (candidates.isEmpty()) {
                return outcome;
            }
            outcome = request.apply(candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size())));
        }
        return outcome;
    }

    @Override
    public Track track() {
        return track;
    }

    @Override
    public boolean balanced() {
        return true;
    }

    @Override
    public void close() {
        closed = true;
    }
}
