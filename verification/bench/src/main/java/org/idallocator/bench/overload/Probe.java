package org.idallocator.bench.overload;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.bench.Figures;

/**
 * A client that asks for one of some paths every few milliseconds, on a thread of its own, and takes the time. From
 * start to close.
 */
final class Probe implements AutoCloseable {
    private static final long PAUSE_NANOS = 10_000_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final double MILLI_NANOS = 1e6;

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<URI> paths;
    private final Thread thread;
    private final Queue<Double> millis = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean ended;

    private Probe(int port, List<String> paths) {
        this.paths = paths.stream()
                .map(path -> URI.create("http://127.0.0.1:" + port + path))
                .toList();
        this.thread = new Thread(this::run, "probe");
    }

    /** Begins to ask, for one path after the other. */
    static Probe start(int port, List<String> paths) {
        Probe probe = new Probe(port, paths);
        probe.thread.setDaemon(true);
        probe.thread.start();
        return probe;
    }

    private void run() {
        for (int i = 0; !ended; i++) {
            long fromNanos = System.nanoTime();
            if (!answers(paths.get(i % paths.size()))) {
                refused.incrementAndGet();
            }
            millis.add((System.nanoTime() - fromNanos) / MILLI_NANOS);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private boolean answers(URI path) {
        try {
            HttpRequest request = HttpRequest.newBuilder(path).timeout(TIMEOUT).build();
            return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    Figures millis() {
        return new Figures(List.copyOf(millis));
    }

    /** How many requests were answered with something else than 200, or not at all. */
    int refused() {
        return refused.get();
    }

    int asked() {
        return millis.size();
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
