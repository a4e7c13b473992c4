package org.idallocator.service.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.ZooKeeperServerListener;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.jspecify.annotations.Nullable;

/**
 * One life of a ZooKeeper server: from when it has read its data until one of its threads dies, which {@link #ended} tells, or
 * it is closed. A server of which a thread has died never recovers by itself; another one on the same data goes on with all
 * that it acknowledged. Thread-safe.
 */
final class ServerRun implements AutoCloseable {
    private static final int TICK_MILLIS = 500;
    private static final int LONGEST_SESSION_MILLIS = 60_000;
    private static final int DEFAULT = -1;
    private static final int UNLIMITED = 0;

    private final Log log;
    private final Server server;
    private final ServerCnxnFactory connections;

    private ServerRun(Log log, ServerCnxnFactory connections) {
        this.log = log;
        this.server = new Server(log);
        this.connections = connections;
    }

    /**
     * Starts one on the loopback interface and returns when it serves.
     *
     * @param port 0 for any free one
     * @throws java.net.BindException when the port is taken
     * @throws IOException when the data cannot be read, or a first snapshot not be written
     */
    static ServerRun start(DataDirectory directory, int port) throws IOException, InterruptedException {
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory();
        connections.configure(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), UNLIMITED, DEFAULT, false);
        try {
            ServerRun run = new ServerRun(new Log(directory.zookeeper().toFile()), connections);
            connections.startup(run.server);
            return run;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            connections.shutdown();
            throw e;
        }
    }

    /** The port that it listens on. */
    int port() {
        return connections.getLocalPort();
    }

    /** Why it does not serve any more; empty while it does. */
    Optional<Exception> ended() {
        if (server.isRunning()) {
            return Optional.empty();
        }
        Exception failure = log.failure;
        return Optional.of(
                failure == null ? new IOException("its thread " + server.deadThread + " has ended") : failure);
    }

    /** Ends it, with all its connections. */
    @Override
    public void close() {
        connections.shutdown(); // the server as well, after the connections: nothing is acknowledged any more
        server.shutdown(true);
        log.close();
    }

    /**
     * Takes nothing more once it has failed. ZooKeeper tries again while it shuts down, and would leave a part of what it
     * could not write in front of what it then can.
     */
    private static final class Log extends FileTxnSnapLog {
        private volatile @Nullable IOException failure;

        Log(File directory) throws IOException {
            super(directory, directory);
        }

        @Override
        public boolean append(Request request) throws IOException {
            requireWhole();
            try {
                return super.append(request);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        @Override
        public void commit() throws IOException {
            requireWhole();
            try {
                super.commit();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        private void requireWhole() throws IOException {
            IOException before = failure;
            if (before != null) {
                throw before;
            }
        }

        /** After a failure, the files are left to the garbage collector: closing them in order would write. */
        @Override
        public void close() {
            if (failure != null) {
                return;
            }
            try {
                super.close();
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    private static final class Server extends ZooKeeperServer {
        private volatile String deadThread = "(unknown)";

        Server(FileTxnSnapLog log) {
            super(null, log, TICK_MILLIS, DEFAULT, LONGEST_SESSION_MILLIS, DEFAULT, null, "");
        }

        /** Told by a thread that cannot go on. */
        @Override
        public ZooKeeperServerListener getZooKeeperServerListener() {
            ZooKeeperServerListener listener = super.getZooKeeperServerListener();
            return (thread, status) -> {
                deadThread = thread;
                listener.notifyStopping(thread, status);
            };
        }

        /** One that cannot be written is an error like any other, not the end of the process. */
        @Override
        public File takeSnapshot(boolean sync, boolean severe) throws IOException {
            return super.takeSnapshot(sync, false);
        }
    }
}
