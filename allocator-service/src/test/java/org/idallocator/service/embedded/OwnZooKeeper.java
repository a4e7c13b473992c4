package org.idallocator.service.embedded;

import java.nio.file.Path;

/** An embedded ZooKeeper without a service, for tests outside of this package. */
public final class OwnZooKeeper implements AutoCloseable {
    private final EmbeddedZooKeeper server;

    private OwnZooKeeper(EmbeddedZooKeeper server) {
        this.server = server;
    }

    /** Starts one on any free port, or the one that the directory's ZooKeeper had last; blocks until it answers. */
    public static OwnZooKeeper start(Path data) {
        return start(data, 0);
    }

    /** The same on one port. */
    public static OwnZooKeeper start(Path data, int port) {
        return new OwnZooKeeper(EmbeddedZooKeeper.open(new DataDirectory(data), port, first -> {}));
    }

    /** {@code host:port}. */
    public String connect() {
        return server.address().connect();
    }

    @Override
    public void close() {
        server.close();
    }
}
