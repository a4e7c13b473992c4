package org.idallocator.bench.soak;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.bench.process.Http;
import org.idallocator.bench.process.Server;

/**
 * Says whom to ask, as a load balancer does: replicas in turns, as long as the last health check of theirs was answered with 200. A
 * thread asks for that all the time. Thread-safe.
 */
final class Balancer implements AutoCloseable {
    private static final String HEALTH = "/health-check";
    private static final long PAUSE_NANOS = 200_000_000;

    private final List<Server> servers = new CopyOnWriteArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final Thread looking = new Thread(this::look);
    private volatile List<Server> ready = List.of();
    private volatile boolean closing;

    private Balancer() {
        looking.setDaemon(true);
    }

    static Balancer over(List<Server> first) {
        Balancer balancer = new Balancer();
        balancer.servers.addAll(first);
        balancer.ready = List.copyOf(first);
        balancer.looking.start();
        return balancer;
    }

    private void look() {
        while (!closing) {
            ready = servers.stream()
                    .filter(server -> Http.answers(server.port(), HEALTH))
                    .toList();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    void add(Server server) {
        servers.add(server);
    }

    void remove(Server server) {
        servers.remove(server);
    }

    /** Whose turn it is; empty where none is ready. */
    Optional<Server> next() {
        List<Server> now = ready;
        return now.isEmpty()
                ? Optional.empty()
                : Optional.of(now.get(Math.floorMod(turn.getAndIncrement(), now.size())));
    }

    @Override
    public void close() {
        closing = true;
        try {
            looking.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
