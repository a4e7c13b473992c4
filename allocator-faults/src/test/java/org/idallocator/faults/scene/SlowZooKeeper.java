package org.idallocator.faults.scene;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.security.sasl.SaslException;
import org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** A ZooKeeper whose disk takes its time for every commit as long as a file says so, in milliseconds. */
public final class SlowZooKeeper extends QuorumPeerMain {
    /** The system property that names the file. */
    static final String DELAY_FILE = "faults.disk.delay";

    private SlowZooKeeper() {}

    public static void main(String[] arguments) {
        try {
            new SlowZooKeeper().initializeAndRun(arguments);
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not start", e);
        }
    }

    @Override
    protected QuorumPeer getQuorumPeer() throws SaslException {
        return new SlowPeer();
    }

    private static final class SlowPeer extends QuorumPeer {
        SlowPeer() throws SaslException {}

        @Override
        public void setTxnFactory(FileTxnSnapLog log) {
            try {
                super.setTxnFactory(new SlowLog(parent(log.getDataLogDir()), parent(log.getSnapDir())));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Without the directory of the format's version, which is added again. */
        private static File parent(File versioned) {
            return versioned.getAbsoluteFile().getParentFile();
        }
    }

    private static final class SlowLog extends FileTxnSnapLog {
        private final Path delay = Path.of(System.getProperty(DELAY_FILE, "none"));

        SlowLog(File logs, File snapshots) throws IOException {
            super(logs, snapshots);
        }

        @Override
        public void commit() throws IOException {
            if (Files.exists(delay)) {
                long millis = Long.parseLong(Files.readString(delay).strip());
                LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
            }
            super.commit();
        }
    }
}
