package org.idallocator.service.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.proto.AuthPacket;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.RequestHeader;
import org.apache.zookeeper.server.FinalRequestProcessor;
import org.apache.zookeeper.server.PrepRequestProcessor;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.RequestRecord;
import org.apache.zookeeper.server.RequestThrottler;
import org.apache.zookeeper.server.ServerCnxn;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.SessionTrackerImpl;
import org.apache.zookeeper.server.SyncRequestProcessor;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.idallocator.service.failures.AfterFailure;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a ZooKeeper server. It begins when the server has read its data, and ends when one of the server's threads dies, as
 * {@link #ended} tells, or when this is closed. A server without one of its threads never recovers by itself. Another server on
 * the same data goes on with all that this one acknowledged. Thread-safe.
 */
final class ServerRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerRun.class);
    private static final int TICK_MILLIS = 500;
    private static final int LONGEST_SESSION_MILLIS = 60_000;
    private static final int DEFAULT = -1;
    private static final int UNLIMITED = 0;

    private final Log log;
    private final Server server;
    private final ServerCnxnFactory connections;

    private ServerRun(Log log, Identity identity, ServerCnxnFactory connections) {
        this.log = log;
        this.server = new Server(log, identity);
        this.connections = connections;
    }

    /**
     * Starts a server on the loopback interface, and returns when it serves.
     *
     * @param identity what the directory is known by; clients that name another one are refused
     * @param port 0 for any free one
     * @throws java.net.BindException when the port is taken
     * @throws IOException when the data cannot be read, or the first snapshot cannot be written
     */
    static ServerRun start(DataDirectory directory, Identity identity, int port)
            throws IOException, InterruptedException {
        ServerCnxnFactory connections = ServerCnxnFactory.createFactory();
        try {
            connections.configure(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), UNLIMITED, DEFAULT, false);
            ServerRun run = new ServerRun(new Log(directory.zookeeper().toFile()), identity, connections);
            connections.startup(run.server);
            return run;
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            AfterFailure.close(e, connections::shutdown);
            throw e;
        }
    }

    /** The port on which the server listens. */
    int port() {
        return connections.getLocalPort();
    }

    /** Why the server serves no more; empty while it serves. */
    Optional<Exception> ended() {
        Optional<String> dead = server.dead();
        if (server.isRunning() && dead.isEmpty()) {
            return Optional.empty();
        }
        Exception failure = log.failure;
        return Optional.of(failure == null ? new IOException(dead.orElse("it was stopped")) : failure);
    }

    /** Ends the server, with all its connections. */
    @Override
    public void close() {
        connections.shutdown(); // ends the server as well, after the connections: nothing is acknowledged any more
        server.shutdown(true);
        log.close();
    }

    /**
     * ZooKeeper's log, which takes nothing more once it has failed. ZooKeeper tries again while it shuts down: a part of what it
     * could not write would stand in front of what it then can.
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

        /** Closes nothing after a failure, because closing would write: the files are left to the garbage collector. */
        @Override
        public void close() {
            if (failure != null) {
                return;
            }
            try {
                super.close();
            } catch (IOException e) {
                LOG.warn("the embedded ZooKeeper's files were not closed in order", e);
                failure = e;
            }
        }
    }

    /**
     * A server that knows the threads without which it does nothing. A thread tells ZooKeeper when it ends, but not when it ends
     * because no memory is left. And a server that refuses whoever looks for that of another directory, as every server of
     * another program does, too: each connection of such a client begins with the name of the directory.
     */
    private static final class Server extends ZooKeeperServer {
        private final List<Thread> threads = new CopyOnWriteArrayList<>();

        private final Identity identity;

        Server(FileTxnSnapLog log, Identity identity) {
            super(null, log, TICK_MILLIS, DEFAULT, LONGEST_SESSION_MILLIS, DEFAULT, null, "");
            this.identity = identity;
        }

        /** Leaves the refusal to the overridden method, which knows no such scheme, and closes the connection. */
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
                    && identity.identity().equals(new String(packet.getAuth(), StandardCharsets.UTF_8));
        }

        /** Names a thread that has died; empty while all live. */
        Optional<String> dead() {
            return threads.stream()
                    .filter(thread -> !thread.isAlive())
                    .map(thread -> "thread " + thread.getName() + " has died")
                    .findFirst();
        }

        @Override
        protected void startSessionTracker() {
            super.startSessionTracker();
            threads.add((SessionTrackerImpl) sessionTracker);
        }

        /** Does what the overridden method does, and remembers the threads. */
        @Override
        protected void setupRequestProcessors() {
            SyncRequestProcessor sync = new SyncRequestProcessor(this, new FinalRequestProcessor(this));
            sync.start();
            PrepRequestProcessor first = new PrepRequestProcessor(this, sync);
            first.start();
            firstProcessor = first;
            threads.addAll(List.of(sync, first));
        }

        @Override
        protected RequestThrottler createRequestThrottler() {
            RequestThrottler throttler = super.createRequestThrottler();
            threads.add(throttler);
            return throttler;
        }

        /** Never severe: a snapshot that cannot be written is an error like any other, and must not end the process. */
        @Override
        public File takeSnapshot(boolean sync, boolean severe) throws IOException {
            return super.takeSnapshot(sync, false);
        }
    }
}
