package org.idallocator.faults.load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.faults.ids.Receipts;

/** All clients of one row. Close it after the replicas: then no request hangs. */
public final class Load implements AutoCloseable {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SINGLE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BALANCED_TIMEOUT = Duration.ofSeconds(5);

    private final Receipts receipts;
    private final ExecutorService threads = Executors.newCachedThreadPool(Load::daemon);
    private final Asker patient;
    private final Asker impatient;
    private final Asker balanced;
    private final Map<String, Track> tracks = new ConcurrentHashMap<>();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private final List<Future<?>> clients = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    public Load(Receipts receipts) {
        this.receipts = receipts;
        this.patient = asker(HangGuard.TIME);
        this.impatient = asker(SINGLE_TIMEOUT);
        this.balanced = asker(BALANCED_TIMEOUT);
    }

    private Asker asker(Duration timeout) {
        return new Asker(threads, CONNECT_TIMEOUT, timeout);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        return thread;
    }

    /** The track of this name, which is made when somebody first asks for it. */
    public Track track(String name) {
        return tracks.computeIfAbsent(name, Track::new);
    }

    /** All tracks, by name. */
    public List<Track> tracks() {
        return tracks.keySet().stream().sorted().map(this::track).toList();
    }

    /** A load balancer in front of these replicas. */
    public Balancer balancer(List<Target> replicas) {
        return new Balancer(replicas, track("load balancer"), Balancer.CHECK_TIMEOUT);
    }

    /** A client that asks for many at a time, and waits however long a replica stands still. */
    public void many(Scheme<?> scheme, int count, long pauseNanos, Route route) {
        run(scheme, count, pauseNanos, patient, route);
    }

    /** A client that asks for one at a time. */
    public void singles(Scheme<?> scheme, long pauseNanos, Route route) {
        run(scheme, 1, pauseNanos, impatient, route);
    }

    private void run(Scheme<?> scheme, int count, long pauseNanos, Asker straight, Route route) {
        Asker asker = route.balanced() ? balanced : straight;
        Client<?> client = new Client<>(scheme, count, pauseNanos, asker, route, receipts);
        clients.add(threads.submit(() -> {
            try {
                while (!stopped) {
                    client.ask();
                }
            } catch (RuntimeException | AssertionError e) {
                broken.add(e);
            }
        }));
    }

    /** No client asks again. */
    public void stop() {
        stopped = true;
    }

    /** Throws when a client was given what it must not be given, such as text that is no ID. */
    public void requireSound() {
        if (!broken.isEmpty()) {
            throw new AssertionError("a client was given something else than IDs", broken.get(0));
        }
    }

    /** Waits for the answers that are due. */
    public void awaitAnswers() {
        stop();
        try {
            for (Future<?> client : clients) {
                client.get(HangGuard.MINUTES, TimeUnit.MINUTES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("a client still waits for its answer", e);
        }
        requireSound();
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
