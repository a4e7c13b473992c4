package org.idallocator.zk.testing;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** One real ZooKeeper within this process, on a free port of the loopback interface, until closed. */
public final class LocalServer implements AutoCloseable {
    private static final int TICK_MILLIS = 500;

    private final ServerCnxnFactory server;

    private LocalServer(ServerCnxnFactory server) {
        this.server = server;
    }

    /** Starts one whose data is in a directory. Returns when the server answers. */
    public static LocalServer start(Path directory) throws Exception {
        ServerCnxnFactory server =
                ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.startup(new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS));
        return new LocalServer(server);
    }

    /** Where clients find it: {@code 127.0.0.1:PORT}. */
    public String connect() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void close() {
        server.shutdown();
    }
}
