package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** An embedded ZooKeeper without a service, for tests outside of this package. */
public final class OwnZooKeeper implements AutoCloseable {
    private final DirectoryUse server;

    private OwnZooKeeper(DirectoryUse server) {
        this.server = server;
    }

    /** Starts one on any free port, or the one that the directory's ZooKeeper had last; blocks until it answers. */
    public static OwnZooKeeper start(Path data) {
        return new OwnZooKeeper(
                DirectoryUse.open(new DataDirectory(data), DirectoryUse.AtFirst.NOTHING, DirectoryUse.PATIENCE));
    }

    /** The same on a port that is free. */
    public static OwnZooKeeper start(Path data, int port) {
        try {
            servedLast(new DataDirectory(data), port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return start(data);
    }

    /** Has the next ZooKeeper of a directory serve on a port, as if the last one had. */
    static void servedLast(DataDirectory data, int port) throws IOException {
        Files.createDirectories(data.zookeeper());
        String identity = Identity.read(data)
                .map(Identity::identity)
                .orElseGet(() -> UUID.randomUUID().toString());
        JsonFile.write(data.identity(), Identity.of(data, Address.of(identity, port)));
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
