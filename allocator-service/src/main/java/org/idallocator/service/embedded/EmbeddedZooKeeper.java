package org.idallocator.service.embedded;

import ch.qos.logback.classic.LoggerContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.apache.zookeeper.server.DatadirCleanupManager;
import org.apache.zookeeper.util.ServiceUtils;
import org.idallocator.service.failures.AfterFailure;
import org.idallocator.zk.operator.UnreachableException;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper inside this process, on the loopback interface, with its data in a directory of its own. What it acknowledged
 * outlives the process. One process at a time may use a directory.
 *
 * <p>When the server dies, another one is started on the same data and port, as soon as that works. When the directory is not
 * this process's own any more, the process ends with status 3. Thread-safe.
 */
final class EmbeddedZooKeeper implements EmbeddedUse.Closing {
    private static final int SNAPSHOTS_KEPT = 3;
    private static final int PURGE_HOURS = 1;
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    private final DirectoryLock lock;
    private final Notice notice;
    private final Supervisor supervisor;
    private final DirectoryWatch watch;
    private final DatadirCleanupManager purge;

    private EmbeddedZooKeeper(DirectoryLock lock, Notice notice, Supervisor supervisor, IntConsumer halt) {
        this.lock = lock;
        this.notice = notice;
        this.supervisor = supervisor;
        this.watch = DirectoryWatch.start(lock.directory(), this::look, halt);
        this.purge = purge(lock.directory());
    }

    /**
     * Starts a ZooKeeper on a directory that is locked, and blocks until it answers. Closing it unlocks the directory, and so does
     * a start that fails.
     *
     * @param port 0 for the port that it had last, or else any free one
     * @param atFirst is given the address of a ZooKeeper that can have lost no data, because this call made the place for them,
     *     before any other process can find that ZooKeeper
     * @throws EmbeddedStartException when the directory cannot be used, or the port is taken
     */
    static EmbeddedZooKeeper start(DirectoryLock lock, int port, Consumer<String> atFirst) {
        return start(lock, port, atFirst, EmbeddedZooKeeper::halt);
    }

    /** The same; {@code halt} is called with a status when the process must end. */
    static EmbeddedZooKeeper start(DirectoryLock lock, int port, Consumer<String> atFirst, IntConsumer halt) {
        leaveProcessAlone();
        try {
            Notice notice = lock.directory().use(() -> Notice.begin(lock.directory()));
            Supervisor supervisor =
                    Supervisor.start(lock, notice.identity(), firstRun(lock.directory(), notice.identity(), port));
            try {
                announce(notice, supervisor.port(), lock.made(), atFirst);
                return new EmbeddedZooKeeper(lock, notice, supervisor, halt);
            } catch (RuntimeException e) {
                AfterFailure.close(e, supervisor);
                throw e;
            }
        } catch (RuntimeException e) {
            AfterFailure.close(e, lock);
            throw e;
        }
    }

    /**
     * Goes on for a process that has ended, on its data and port, and returns at once: the ZooKeeper serves as soon as that
     * works. Other processes may have sessions there, so no other port would do.
     */
    static EmbeddedZooKeeper goOn(DirectoryLock lock, Address used, IntConsumer halt) {
        leaveProcessAlone();
        try {
            Notice notice = lock.directory().use(() -> Notice.goOn(lock.directory(), used));
            return new EmbeddedZooKeeper(lock, notice, Supervisor.resume(lock, notice.identity()), halt);
        } catch (RuntimeException e) {
            AfterFailure.close(e, lock);
            throw e;
        }
    }

    private static void leaveProcessAlone() {
        ServiceUtils.setSystemExitProcedure(ServiceUtils.LOG_ONLY); // else ZooKeeper would end the process
    }

    /** Tells where the ZooKeeper serves. {@code atFirst} comes before that, when nobody else can know it. */
    private static void announce(Notice notice, int port, boolean made, Consumer<String> atFirst) {
        try {
            notice.mark(port);
            if (made) {
                atFirst.accept(Notice.connect(port));
            }
            notice.publish(port);
        } catch (IOException | UnreachableException e) {
            throw new EmbeddedStartException(
                    "the embedded ZooKeeper cannot tell other processes that it is there: " + e, e);
        }
    }

    /** Looks after the directory, and tells where the ZooKeeper serves, also when somebody has removed what was told. */
    private void look() throws DirectoryLostException {
        lock.verify();
        if (supervisor.serves()) {
            try {
                notice.publish(supervisor.port());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static ServerRun firstRun(DataDirectory directory, Identity identity, int port) {
        try {
            return new PortChoice(directory, identity).start(port);
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

    /** Ends this process, as soon as other threads have written what was logged. */
    static void halt(int status) {
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
    String connect() {
        return Notice.connect(supervisor.port());
    }

    /** The lasting random name of the directory with the data. */
    String identity() {
        return notice.identity().identity();
    }

    @Override
    public void close() {
        watch.close();
        notice.withdraw();
        supervisor.close();
        purge.shutdown();
        lock.close();
    }
}
