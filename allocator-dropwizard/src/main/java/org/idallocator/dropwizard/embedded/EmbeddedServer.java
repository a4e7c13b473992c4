package org.idallocator.dropwizard.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.util.ServiceUtils;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.logging.AfterFailure;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of a ZooKeeper server on the loopback interface. It begins when the server has read its data. It ends when
 * this is closed, or when one of the server's threads dies, which {@link #failure} tells; such a server never recovers.
 * Another server on the same data goes on with everything that this one acknowledged. Thread-safe.
 */
final class EmbeddedServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedServer.class);
    private static final int TICK_MILLIS = 500;
    private static final int LONGEST_SESSION_MILLIS =
            (int) Terms.SESSION_TIMEOUT.most().toMillis();
    private static final int DEFAULT = -1;
    private static final int UNLIMITED = 0;
    private static final int SNAPSHOTS_KEPT = 3;

    /**
     * The first port to use. It is above the ports that Linux gives to outgoing connections, so that none of these
     * takes the port while its server restarts.
     */
    private static final int FIRST_PORT = 61_000;

    /** How often the last port is tried. A killed process releases its lock a moment before it releases its port. */
    private static final int MAX_TRIES = 20;

    private static final Duration BETWEEN_TRIES = Duration.ofMillis(50);

    /** The log in which the server writes down what it acknowledges. */
    private final Log log;

    private final Server server;

    /** The connections of clients, which are closed before the server is. */
    private final ServerCnxnFactory connections;

    private EmbeddedServer(Log log, String identity, ServerCnxnFactory connections) {
        this.log = log;
        this.server = new Server(log, identity);
        this.connections = connections;
    }

    /**
     * Starts a server, and returns when it serves.
     *
     * @param identity the identity of the data; clients that name another one are refused
     * @throws BindException when the port is taken
     * @throws IOException when the data cannot be read, or the first snapshot cannot be written
     */
    static EmbeddedServer start(DataDirectory directory, String identity, int port) throws IOException {
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY); // else ZooKeeper would end the process
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory();
        try {
            connections.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), UNLIMITED, DEFAULT, false);
            Log log = new Log(directory.zookeeper().toFile());
            EmbeddedServer started = new EmbeddedServer(log, identity, connections);
            connections.startup(started.server);
            return started;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            AfterFailure.close(e, connections::shutdown);
            throw new InterruptedIOException("interrupted while the embedded ZooKeeper was starting");
        } catch (IOException | RuntimeException | Error e) {
            AfterFailure.close(e, connections::shutdown);
            throw e;
        }
    }

    /**
     * Starts a server on the port that the directory's ZooKeeper had last, where clients look for it, or else on a free
     * one.
     */
    static EmbeddedServer startOnFreePort(DataDirectory directory, Identity last) throws IOException {
        for (int i = 0; i < 2 * MAX_TRIES; i++) {
            try {
                return start(directory, last.identity(), i < MAX_TRIES ? last.port() : anyPort());
            } catch (BindException e) {
                LOG.debug("a port is not free", e);
                Clock.system().park(BETWEEN_TRIES.toNanos());
            }
        }
        return start(directory, last.identity(), anyPort());
    }

    /** A random port, on which most likely nobody listens. */
    static int anyPort() {
        return ThreadLocalRandom.current().nextInt(FIRST_PORT, ZooKeeperSettings.LARGEST_PORT + 1);
    }

    /** The port on which the server listens. */
    int port() {
        return connections.getLocalPort();
    }

    /** Why the server serves no more; empty while it serves. */
    Optional<IOException> failure() {
        if (log.failure != null) {
            return Optional.of(log.failure);
        }
        return server.isRunning() ? Optional.empty() : Optional.of(new IOException("one of its threads has died"));
    }

    /** Ends the server, with all its connections. */
    @Override
    public void close() throws IOException {
        connections.shutdown(); // ends the server as well, after the connections: nothing is acknowledged any more
        server.shutdown(true);
        log.close();
    }

    /**
     * ZooKeeper's transaction log, which takes nothing more after its first failure. ZooKeeper writes again while it
     * shuts down; a half-written record would then stand in front of what is written next.
     */
    private static final class Log extends FileTxnSnapLog {
        private volatile @Nullable IOException failure;

        Log(File directory) throws IOException {
            super(directory, directory);
        }

        @Override
        public boolean append(Request request) throws IOException {
            return writeUnlessFailed(() -> super.append(request));
        }

        @Override
        public void commit() throws IOException {
            writeUnlessFailed(() -> {
                super.commit();
                return true;
            });
        }

        private boolean writeUnlessFailed(DataDirectory.Work<Boolean> write) throws IOException {
            if (failure != null) {
                throw failure;
            }
            try {
                return write.run();
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }

        /** Closes nothing after a failure, because closing would write: the files are left to the garbage collector. */
        @Override
        public void close() throws IOException {
            if (failure == null) {
                super.close();
            }
        }
    }

    /**
     * A server that refuses clients of another directory. Each connection of a client begins with the identity of the
     * directory that the client means. A server of another program does not know this kind of greeting, and refuses as
     * well.
     */
    private static final class Server extends ZooKeeperServer {
        private final String identity;

        Server(FileTxnSnapLog log, String identity) {
            super(null, log, TICK_MILLIS, DEFAULT, LONGEST_SESSION_MILLIS, DEFAULT, null, "");
            this.identity = identity;
        }

        /**
         * Accepts a greeting with this server's identity. Leaves any other to the overridden method, which does not
         * know the greeting's scheme and closes the connection.
         */
        @Override
        public void processPacket(ServerCnxn connection, RequestHeader header, RequestRecord request)
                throws IOException {
            if (header.getType() == ZooDefs.OpCode.auth && namesThis(request.readRecord(AuthPacket::new))) {
                connection.sendResponse(
                        new ReplyHeader(header.getXid(), 0, KeeperException.Code.OK.intValue()), null, null);
            } else {
                super.processPacket(connection, header, request);
            }
        }

        private boolean namesThis(AuthPacket packet) {
            return packet.getScheme().equals(ZooKeeperSettings.EMBEDDED)
                    && identity.equals(new String(packet.getAuth(), StandardCharsets.UTF_8));
        }

        /**
         * Takes a snapshot, and deletes all but the last few. Passes false for {@code severe}, so that a failed
         * snapshot is an error like any other, and does not end the process.
         */
        @Override
        public File takeSnapshot(boolean sync, boolean severe) throws IOException {
            File taken = super.takeSnapshot(sync, false);
            File data = taken.getParentFile().getParentFile();
            PurgeTxnLog.purge(data, data, SNAPSHOTS_KEPT);
            return taken;
        }
    }
}
