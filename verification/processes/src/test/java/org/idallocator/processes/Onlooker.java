package org.idallocator.processes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.idallocator.core.testing.HangGuard;

/** Asks for one thing again and again, each time on a new connection, and remembers what was answered when. */
final class Onlooker implements AutoCloseable {
    /** In the place of a status: there was no answer. */
    static final int NONE = 0;

    private static final long PAUSE_NANOS = 20_000_000;

    private final URI uri;
    private final List<Seen> seen = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::run, "onlooker");
    private volatile boolean closed;

    /**
     * What was seen.
     *
     * @param nanos when the request was sent, in the time of {@link System#nanoTime}
     * @param status what was answered, or {@link #NONE}
     */
    record Seen(long nanos, int status) {
        /** How long after another time. */
        Duration since(long fromNanos) {
            return Duration.ofNanos(nanos - fromNanos);
        }
    }

    Onlooker(URI uri) {
        this.uri = uri;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!closed) {
            long nanos = System.nanoTime();
            seen.add(new Seen(nanos, ask()));
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private int ask() {
        try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
            socket.setSoTimeout((int) HangGuard.TIME.toMillis());
            String request = "GET " + uri.getPath() + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return line == null ? NONE : Integer.parseInt(line.split(" ", 3)[1]);
        } catch (IOException e) {
            return NONE;
        }
    }

    /** What was seen of requests that were sent between two times after another one. */
    List<Integer> statuses(long fromNanos, Duration from, Duration until) {
        return seen.stream()
                .filter(each -> each.since(fromNanos).compareTo(from) >= 0)
                .filter(each -> each.since(fromNanos).compareTo(until) < 0)
                .map(Seen::status)
                .toList();
    }

    /** Looks on no more, once the answer that is due has come. */
    @Override
    public void close() {
        closed = true;
        try {
            thread.join(HangGuard.TIME.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
