package org.idallocator.service.embedded;

import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.IntConsumer;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.util.ServiceUtils;
import org.idallocator.service.failures.AfterFailure;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper inside this process, on the loopback interface, with its data in a directory of its own. What it acknowledged
 * outlives the process. One process at a time may use a directory.
 *
 * <p>When the server dies, another one is started on the same data and port, as soon as that works. When the directory is not
 * this process's own any more, the process ends with status 3. Thread-safe.
 */
public final class EmbeddedZooKeeper implements AutoCloseable {
    private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_HOURS = 1;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final DirectoryLock lock;
    private final Supervisor supervisor;
    private final DirectoryWatch watch;
    private final DatadirCleanupManager purge;

    private EmbeddedZooKeeper(DirectoryLock lock, Supervisor supervisor, DirectoryWatch watch) {
        this.lock = lock;
        this.supervisor = supervisor;
        this.watch = watch;
        this.purge = purge(lock.directory());
    }

    /**
     * Starts a ZooKeeper, and blocks until it answers.
     *
     * @param dataDir the directory for its data, which is made if need be
     * @param port 0 for any free one
     * @throws EmbeddedStartException when the directory or the port is taken
     */
    public static EmbeddedZooKeeper start(Path dataDir, int port) {
        return start(DirectoryLock.on(dataDir), port, EmbeddedZooKeeper::halt);
    }

    /** The same on a directory that holds data; makes nothing and throws {@link EmbeddedStartException} when it holds none. */
    public static EmbeddedZooKeeper startOnExisting(Path dataDir, int port) {
        return start(DirectoryLock.onExisting(dataDir), port, EmbeddedZooKeeper::halt);
    }

    /** {@code halt} is called with a status when the process must end. */
    static EmbeddedZooKeeper start(DirectoryLock lock, int port, IntConsumer halt) {
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY); // else ZooKeeper would end the process
        try {
            Supervisor supervisor = Supervisor.start(lock, firstRun(lock.directory(), port));
            return new EmbeddedZooKeeper(lock, supervisor, DirectoryWatch.start(lock, halt));
        } catch (RuntimeException e) {
            AfterFailure.close(e, lock);
            throw e;
        }
    }

    private static ServerRun firstRun(DataDirectory directory, int port) {
        try {
            return ServerRun.start(directory, port);
        } catch (BindException e) {
            throw new EmbeddedStartException(
                    "zookeeper.embedded.port " + port + " cannot be listened on: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new EmbeddedStartException(
                    "the embedded ZooKeeper cannot start in " + directory.path() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedStartException("interrupted while the embedded ZooKeeper was starting", e);
        }
    }

    private static DatadirCleanupManager purge(DataDirectory directory) {
        DatadirCleanupManager purge = new DatadirCleanupManager(
                directory.zookeeper().toFile(), directory.zookeeper().toFile(), SNAPSHOTS_KEPT, PURGE_HOURS);
        purge.start();
        return purge;
    }

    /** Ends the process, as soon as other threads have written what was logged. */
    private static void halt(int status) {
        Thread lastWords = new Thread(() -> ((LoggerContext) LoggerFactory.getILoggerFactory()).stop());
        lastWords.setDaemon(true);
        lastWords.start();
        try {
            lastWords.join(LAST_WORDS.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(status);
    }

    /** The address for clients on this machine: {@code host:port}. */
    public String connect() {
        return LOOPBACK + ":" + supervisor.port();
    }

    /**
     * Whether this start made the place for ZooKeeper's data, so that no data can have been lost. False when there was a place,
     * even an empty one.
     */
    public boolean madeDirectory() {
        return lock.made();
    }

    @Override
    public void close() {
        watch.close();
        supervisor.close();
        purge.shutdown();
        lock.close();
    }
}
