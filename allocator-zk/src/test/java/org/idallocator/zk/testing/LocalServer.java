package org.idallocator.zk.testing;

import com.google.common.io.MoreFiles;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** One real ZooKeeper within this process, on a free port of the loopback interface, until closed. */
public final class LocalServer implements AutoCloseable {
    private static final int TICK_MILLIS = 500;

    private final File directory;
    private final ServerCnxnFactory server;

    private LocalServer(File directory, ServerCnxnFactory server) {
        this.directory = directory;
        this.server = server;
    }

    /** Starts one that knows nothing. Returns when the server answers. */
    public static LocalServer start() {
        try {
            File directory = Files.createTempDirectory("zookeeper").toFile();
            ServerCnxnFactory server =
                    ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.startup(new ZooKeeperServer(directory, directory, TICK_MILLIS));
            return new LocalServer(directory, server);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where clients find it: {@code 127.0.0.1:PORT}. */
    public String connect() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        server.shutdown();
        MoreFiles.deleteRecursively(directory.toPath());
    }
}
