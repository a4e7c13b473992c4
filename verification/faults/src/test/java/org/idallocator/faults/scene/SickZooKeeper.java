package org.idallocator.faults.scene;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.DataTree;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/**
 * A ZooKeeper whose disk is slow or full as long as files say so, see {@link Disks}. What it writes to a full disk
 * fails as it does on a real one: log, snapshots and epochs, each with an {@link IOException}. What was written can be
 * read.
 */
public final class SickZooKeeper extends QuorumPeerMain {
    /** The system property that names the directory of those files. */
    static final String DIRECTORY = "faults.disks";

    private SickZooKeeper() {}

    public static void main(String[] arguments) {
        try {
            new SickZooKeeper().initializeAndRun(arguments);
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not start", e);
        }
    }

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
        return new Peer();
    }

    private static final class Peer extends QuorumPeer {
        Peer() throws SaslException {}

        @Override
        public void setTxnFactory(FileTxnSnapLog log) {
            try {
                super.setTxnFactory(new Log(parent(log.getDataLogDir()), parent(log.getSnapDir())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Without the directory of the format's version, which is added again. */
        private static File parent(File versioned) {
            return versioned.getAbsoluteFile().getParentFile();
        }

        @Override
        public void setCurrentEpoch(long epoch) throws IOException {
            requireSpace();
            super.setCurrentEpoch(epoch);
        }

        @Override
        public void setAcceptedEpoch(long epoch) throws IOException {
            requireSpace();
            super.setAcceptedEpoch(epoch);
        }

        private void requireSpace() throws IOException {
            Sickness.of(parent(getTxnFactory().getSnapDir())).requireSpace();
        }
    }

    private static final class Log extends FileTxnSnapLog {
        private final Sickness sickness;

        Log(File logs, File snapshots) throws IOException {
            super(logs, snapshots);
            sickness = Sickness.of(snapshots);
        }

        @Override
        public boolean append(Request request) throws IOException {
            sickness.requireSpace();
            return super.append(request);
        }

        @Override
        public void commit() throws IOException {
            sickness.waitOut();
            sickness.requireSpace();
            super.commit();
        }

        @Override
        public File save(DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean sync) throws IOException {
            sickness.requireSpace();
            return super.save(tree, sessions, sync);
        }
    }

    /** What is wrong with a member's disk now. */
    private record Sickness(Path delay, Path full) {

        /** {@code home} is the member's data directory, which is named like the member. */
        static Sickness of(File home) {
            Path directory = Path.of(System.getProperty(DIRECTORY, "none"));
            return new Sickness(Disks.delay(directory), Disks.full(directory, home.getName()));
        }

        void waitOut() throws IOException {
            if (Files.exists(delay)) {
                long millis = Long.parseLong(Files.readString(delay).strip());
                LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
            }
        }

        void requireSpace() throws IOException {
            if (Files.exists(full)) {
                throw new IOException("No space left on device");
            }
        }
    }
}
