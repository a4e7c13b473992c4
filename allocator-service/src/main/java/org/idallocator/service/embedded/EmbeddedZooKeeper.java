package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/**
 * A ZooKeeper inside this process, on the loopback interface, that keeps its data in a directory of its own: what it
 * acknowledged outlives the process. One process at a time may use a directory. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final long START_TIMEOUT_MILLIS = 30_000;
    private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

    private final DirectoryLock lock;
    private final ZooKeeperServerEmbedded server;

    private EmbeddedZooKeeper(DirectoryLock lock, ZooKeeperServerEmbedded server) {
        this.lock = lock;
        this.server = server;
    }

    /**
     * Starts and blocks until it answers.
     *
     * @param port 0 for any free one
     * @throws EmbeddedStartException when the directory or the port is taken
     */
    public static EmbeddedZooKeeper start(Path dataDir, int port) {
        DirectoryLock lock = DirectoryLock.on(dataDir);
        try {
            requireFree(port);
            return new EmbeddedZooKeeper(lock, start(dataDir, configuration(dataDir, port)));
        } catch (RuntimeException e) {
            lock.close();
            throw e;
        }
    }

    /** The server itself would say so only in its log, and stop the process or wait for ever. */
    private static void requireFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new EmbeddedStartException(
                    "zookeeper.embedded.port " + port + " cannot be listened on: " + e.getMessage(), e);
        }
    }

    private static Properties configuration(Path dataDir, int port) {
        Properties properties = new Properties();
        properties.setProperty(
                "dataDir", dataDir.resolve("zookeeper").toAbsolutePath().toString());
        properties.setProperty("clientPort", Integer.toString(port));
        properties.setProperty("clientPortAddress", LOOPBACK);
        properties.setProperty("tickTime", "500");
        properties.setProperty("maxSessionTimeout", "60000");
        properties.setProperty("maxClientCnxns", "0");
        properties.setProperty("admin.enableServer", "false");
        properties.setProperty("autopurge.snapRetainCount", "3");
        properties.setProperty("autopurge.purgeInterval", "1");
        return properties;
    }

    private static ZooKeeperServerEmbedded start(Path dataDir, Properties configuration) {
        try {
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(dataDir)
                    .configuration(configuration)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            deleteWrittenConfiguration(dataDir);
            server.start(START_TIMEOUT_MILLIS);
            return server;
        } catch (Exception e) {
            throw new EmbeddedStartException("the embedded ZooKeeper cannot start in " + dataDir + ": " + e, e);
        }
    }

    /** The builder leaves a file behind at every start, which nothing reads again. */
    private static void deleteWrittenConfiguration(Path dataDir) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(dataDir, "zookeeper.configuration*.properties")) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }

    /** {@code host:port} for clients in this process and on this machine. */
    public String connect() {
        return LOOPBACK + ":" + server.getClientPort();
    }

    @Override
    public void close() {
        server.close();
        lock.close();
    }
}
