package org.idallocator.faults.load;

import java.time.Duration;
import java.util.HashMap;
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
    private static final Duration SINGLE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration BALANCED_TIMEOUT = Duration.ofSeconds(5);

    private final Receipts receipts;
    private final ExecutorService threads = Executors.newCachedThreadPool(Load::daemon);
    private final Asker asker = new Asker(threads);
    private final Map<String, Track> tracks = new ConcurrentHashMap<>();
    private final List<Future<?>> clients = new CopyOnWriteArrayList<>();
    private volatile boolean stopped;

    public Load(Receipts receipts) {
        this.receipts = receipts;
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
        return new Balancer(replicas, track("load balancer"));
    }

    /** A client that asks for many at a time, and waits however long a replica stands still. */
    public void many(Scheme<?> scheme, int count, long pauseNanos, Route route) {
        run(scheme, count, pauseNanos, HangGuard.TIME, route);
    }

    /** A client that asks for one at a time. */
    public void singles(Scheme<?> scheme, long pauseNanos, Route route) {
        run(scheme, 1, pauseNanos, SINGLE_TIMEOUT, route);
    }

    private void run(Scheme<?> scheme, int count, long pauseNanos, Duration straight, Route route) {
        Duration timeout = route.balanced() ? BALANCED_TIMEOUT : straight;
        Client<?> client = new Client<>(scheme, count, pauseNanos, timeout, asker, route, receipts, new HashMap<>());
        clients.add(threads.submit(() -> {
            while (!stopped) {
                client.ask();
            }
        }));
    }

    /** No client asks again. */
    public void stop() {
        stopped = true;
    }

    /**
     * Waits for the answers that are due. Throws when a client was given what it must not be given, such as text that
     * is no ID.
     */
    public void awaitAnswers() {
        stop();
        try {
            for (Future<?> client : clients) {
                client.get(HangGuard.MINUTES, TimeUnit.MINUTES);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AssertionError("a client was given something else than IDs", e);
        } catch (TimeoutException e) {
            throw new AssertionError("a client still waits for its answer", e);
        }
    }

    @Override
    public void close() {
        stop();
        threads.shutdownNow();
    }
}
