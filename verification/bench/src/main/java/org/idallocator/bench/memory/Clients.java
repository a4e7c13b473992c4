package org.idallocator.bench.memory;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.idallocator.bench.process.Connection;
import org.idallocator.bench.process.Load;
import org.idallocator.bench.process.Server;

/**
 * Clients that ask for snos as fast as they get them, until closed. They stop at the first failure, which close throws.
 */
final class Clients implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    private static final int STREAMED = 1_000_000;
    private static final String STREAM = "/ids/sno?count=" + STREAMED;
    private static final long STRETCH_NANOS = 100_000_000;

    private final Server server;
    private final LongAdder ids = new LongAdder();
    private volatile boolean closing;
    private final CompletableFuture<?> asking;

    private Clients(Server server, Consumer<Clients> client) {
        this.server = server;
        asking = CompletableFuture.runAsync(() -> client.accept(this));
    }

    /** Single snos, on 16 connections that are kept. */
    static Clients ofSingles(Server server) {
        return new Clients(server, Clients::askForSingles);
    }

    /** A million snos an answer, one answer after the other on one connection. */
    static Clients ofStream(Server server) {
        return new Clients(server, Clients::askForStreams);
    }

    private void askForSingles() {
        try (Load load = Load.on(server, CONNECTIONS, "/ids/sno", "text/plain")) {
            while (!closing) {
                ids.add(load.run(0, STRETCH_NANOS).answers());
            }
        }
    }

    private void askForStreams() {
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

    /** Ends the clients after their answers. */
    @Override
    public void close() {
        closing = true;
        var unused = asking.join();
    }
}
