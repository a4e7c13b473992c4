package org.idallocator.faults.load;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Does what config/load-balancer/haproxy.cfg says: asks every replica twice a second whether it is ready, takes in turn those
 * that are, and asks up to three others when nothing of an answer came or it was a 503.
 */
public final class Balancer implements Route, AutoCloseable {
    private static final long INTERVAL_NANOS = 500_000_000;
    /** How long haproxy waits for a check. */
    static final Duration CHECK_TIMEOUT = Duration.ofSeconds(1);

    private static final int RETRIES = 3;
    private static final int READY = 200;

    private final List<Target> replicas;
    private final Track track;
    private final Duration checkTimeout;
    private final HttpClient checks;
    private final AtomicInteger turn = new AtomicInteger();
    private final Thread prober = new Thread(this::run, "load-balancer");
    private volatile List<Target> ready = List.of();
    private volatile boolean closed;

    Balancer(List<Target> replicas, Track track, Duration checkTimeout) {
        this.replicas = List.copyOf(replicas);
        this.track = track;
        this.checkTimeout = checkTimeout;
        this.checks = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(checkTimeout)
                .build();
        prober.setDaemon(true);
        prober.start();
    }

    private void run() {
        while (!closed) {
            ready = replicas.parallelStream().filter(this::isReady).toList();
            LockSupport.parkNanos(INTERVAL_NANOS);
        }
    }

    private boolean isReady(Target replica) {
        HttpRequest check = HttpRequest.newBuilder(replica.uri().resolve("/health-check?name=all"))
                .timeout(checkTimeout)
                .build();
        try {
            return checks.send(check, BodyHandlers.discarding()).statusCode() == READY;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
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
