package org.idallocator.bench.memory;

import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Load;
import org.idallocator.bench.process.Server;
import org.jspecify.annotations.Nullable;

/** Clients that ask for snos as fast as they get them, until closed. They stop at the first failure, which close tells. */
final class Clients implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    private static final int STREAMED = 1_000_000;
    private static final String STREAM = "/ids/sno?count=" + STREAMED;
    private static final long STRETCH_NANOS = 100_000_000;

    private final LongAdder ids = new LongAdder();
    private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean closing;

    private Clients(Server server, Client client) {
        thread = new Thread(() -> {
            try {
                client.ask(this, server);
            } catch (UncheckedIOException | IllegalStateException e) {
                failure.set(e);
            }
        });
        thread.setDaemon(true);
    }

    /** Single snos, on 16 connections that are kept. */
    static Clients ofSingles(Server server) {
        return started(new Clients(server, Clients::askForSingles));
    }

    /** A million snos an answer, one answer after the other on one connection. */
    static Clients ofStream(Server server) {
        return started(new Clients(server, Clients::askForStreams));
    }

    private static Clients started(Clients clients) {
        clients.thread.start();
        return clients;
    }

    private void askForSingles(Server server) {
        try (Load load = Load.on(server, CONNECTIONS, "/ids/sno", "text/plain")) {
            while (!closing) {
                ids.add(load.run(0, STRETCH_NANOS).answers());
            }
        }
    }

    private void askForStreams(Server server) {
        try (Connection connection = server.connect()) {
            while (!closing) {
                connection.get(STREAM, "text/plain").requireOk(STREAM);
                ids.add(STREAMED);
            }
        }
    }

    /** How many IDs have come so far. */
    long ids() {
        return ids.sum();
    }

    /** Ends the clients after their answers. Throws {@link IllegalStateException} where one of them had failed. */
    @Override
    public void close() {
        closing = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        RuntimeException failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a client has failed", failed);
        }
    }

    /** What the thread does. */
    private interface Client {
        void ask(Clients clients, Server server);
    }
}
