package org.idallocator.processes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Does what the load balancer of docker-compose.yml does: asks every replica twice a second whether it is ready, and
 * takes the ready ones in turn.
 */
final class LoadBalancer implements AutoCloseable {
    private static final long INTERVAL_NANOS = 500_000_000;

    private final List<ReplicaProcess> replicas = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final Thread prober = new Thread(this::run, "load-balancer");
    private volatile boolean closed;
    private volatile List<ReplicaProcess> ready = List.of();

    LoadBalancer() {
        prober.setDaemon(true);
        prober.start();
    }

    private void run() {
        while (!closed) {
            probe();
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    void add(ReplicaProcess replica) {
        replicas.add(replica);
    }

    /** A paused replica does not answer, and must not keep the others from being asked. */
    private void probe() {
        ready = replicas.parallelStream().filter(ReplicaProcess::ready).toList();
    }

    List<ReplicaProcess> ready() {
        return ready;
    }

    /** The next ready replica, if possible another than the one that has just failed. */
    Optional<ReplicaProcess> pick(Optional<ReplicaProcess> failed) {
        List<ReplicaProcess> candidates = new ArrayList<>(ready);
        if (candidates.size() > 1) {
            failed.ifPresent(candidates::remove);
        }
        return candidates.isEmpty()
                ? Optional.empty()
                : Optional.of(candidates.get(Math.floorMod(turn.getAndIncrement(), candidates.size())));
    }

    @Override
    public void close() {
        closed = true;
    }
}
