package org.idallocator.zk.testing;

import com.google.common.io.MoreFiles;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One real ZooKeeper within this process, on a free port of the loopback interface, for the tests of a class. */
public final class LocalServer implements BeforeAllCallback, AfterAllCallback {
    private static final int TICK_MILLIS = 500;

    private final File directory;
    private final ServerCnxnFactory server;

    public LocalServer() {
        try {
            directory = Files.createTempDirectory("zookeeper").toFile();
            server = ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns when the server answers. */
    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        server.startup(new ZooKeeperServer(directory, directory, TICK_MILLIS));
    }

    /** Where clients find it: {@code 127.0.0.1:PORT}. */
    public String connect() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        server.shutdown();
        MoreFiles.deleteRecursively(directory.toPath());
    }
}
