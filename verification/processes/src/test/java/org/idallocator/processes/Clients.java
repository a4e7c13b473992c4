package org.idallocator.processes;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.core.testing.Proof;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Clients that ask for IDs again and again, through a {@link LoadBalancer} or of one replica: in the proof without
 * pause. The failures of each replica are kept by its name.
 */
final class Clients implements AutoCloseable {
    private static final long PAUSE_NANOS = 20_000_000;

    /**
     * Between two requests of a client. In the minutes there are requests under way at any moment, but the machine is
     * not full.
     */
    private static final long BETWEEN_NANOS = Proof.size(20_000_000L, 0L);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(HangGuard.TIME)
            .build();
    private final UnaryOperator<Optional<ReplicaProcess>> next;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, List<String>> failures = new ConcurrentHashMap<>();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    /** {@code next} chooses the replica to ask, given the one that has just failed to answer. */
    Clients(UnaryOperator<Optional<ReplicaProcess>> next) {
        this.next = next;
    }

    /** Clients of one replica. */
    static Clients of(ReplicaProcess replica) {
        return new Clients(failed -> Optional.of(replica));
    }

    /** Starts one more client, which asks for {@code count} IDs of one scheme at a time. */
    void start(Evidence<?> evidence, int count) {
        threads.execute(() -> {
            try {
                ask(evidence, count);
            } catch (RuntimeException | AssertionError e) {
                broken.add(e);
            }
        });
    }

    private void ask(Evidence<?> evidence, int count) {
        Optional<ReplicaProcess> failed = Optional.empty();
        while (!stopped) {
            Optional<ReplicaProcess> replica = next.apply(failed);
            failed = replica.filter(r -> !answered(r, evidence, count));
            LockSupport.parkNanos(replica.isEmpty() || failed.isPresent() ? PAUSE_NANOS : BETWEEN_NANOS);
        }
    }

    private boolean answered(ReplicaProcess replica, Evidence<?> evidence, int count) {
        String pathAndQuery = "/ids/" + evidence.scheme().name() + "?count=" + count;
        HttpRequest request = HttpRequest.newBuilder(replica.uri(pathAndQuery))
                .header("Accept", "text/plain")
                .timeout(HangGuard.TIME)
                .build();
        try {
            HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
            if (response.statusCode() == 200) {
                evidence.add(replica.name(), response.body(), count);
                return true;
            }
            failed(replica, response.statusCode() + " " + response.body().strip());
        } catch (IOException e) {
            failed(replica, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private void failed(ReplicaProcess replica, String how) {
        failures.computeIfAbsent(replica.name(), name -> new CopyOnWriteArrayList<>())
                .add(how);
    }

    /** The failures of requests to a replica until now. */
    List<String> failuresOf(ReplicaProcess replica) {
        return List.copyOf(failures.getOrDefault(replica.name(), List.of()));
    }

    /** Stops asking, and waits for the answers that are still due. */
    @Override
    public void close() {
        stopped = true;
        threads.shutdown();
        try {
            if (!threads.awaitTermination(HangGuard.MINUTES, TimeUnit.MINUTES)) {
                throw new AssertionError("clients still wait for answers");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!broken.isEmpty()) {
            throw new AssertionError("a client broke", broken.get(0));
        }
    }
}
