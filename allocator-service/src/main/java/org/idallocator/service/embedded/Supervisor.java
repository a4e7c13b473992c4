package org.idallocator.service.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.failures.RepeatedFailures;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a ZooKeeper server running. A server that has died, as it does when its disk is full, is closed, and another one is
 * started on the same data and port, again and again until that works. Thread-safe.
 */
final class Supervisor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);
    private static final Duration CHECK = Duration.ofMillis(250);
    private static final Duration FIRST_WAIT = Duration.ofMillis(500);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    /** A server that has lived for so long was no failed attempt. */
    private static final long STABLE_NANOS = LONGEST_WAIT.toNanos();

    /** More than a start and the first transactions need. */
    private static final int TRIAL_BYTES = 1 << 20;

    private final DirectoryLock lock;
    private final Identity identity;
    private final Clock clock = Clock.system();
    private final RepeatedFailures failures = new RepeatedFailures(LOG);
    private final BackOff backOff = new BackOff(FIRST_WAIT, LONGEST_WAIT);
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = new Thread(this::supervise, "embedded-zookeeper");
    private volatile @Nullable ServerRun run;
    private ServerProbe probe;
    private long startedNanos;

    private Supervisor(DirectoryLock lock, Identity identity, @Nullable ServerRun first) {
        this.lock = lock;
        this.run = first;
        this.identity = identity;
        this.probe = new ServerProbe(clock, identity.port());
        this.startedNanos = clock.nanos();
        thread.setDaemon(true);
    }

    /** Watches a server that runs, and closes it in the end. */
    static Supervisor start(DirectoryLock lock, Identity identity, ServerRun first) {
        return started(new Supervisor(lock, identity.on(first.port()), first));
    }

    /** Starts a server on the port where another process has run one, as soon as that works. */
    static Supervisor resume(DirectoryLock lock, Identity identity) {
        return started(new Supervisor(lock, identity, null));
    }

    private static Supervisor started(Supervisor supervisor) {
        supervisor.thread.start();
        return supervisor;
    }

    /** Whether a server was started that has not been found dead. */
    boolean serves() {
        return run != null;
    }

    /** The port of this server and of those that follow it. */
    int port() {
        return identity.port();
    }

    private void supervise() {
        try {
            while (!closingWithin(CHECK)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks after the server once. No failure ends the thread: it looks again. */
    private void look() throws InterruptedException {
        try {
            ServerRun current = run;
            if (current == null) {
                revive();
                return;
            }
            Optional<Exception> dead = current.ended().or(probe::dead);
            if (dead.isPresent()) {
                failures.failed("the embedded ZooKeeper has died; it is started again", dead.get());
                run = null;
                current.close();
                revive();
            } else if (clock.nanos() - startedNanos > STABLE_NANOS) {
                backOff.reset();
                failures.succeeded();
            }
        } catch (RuntimeException | Error e) {
            failures.failed("the embedded ZooKeeper cannot be looked after now", e);
        }
    }

    private void revive() throws InterruptedException {
        while (!closingWithin(backOff.next())) {
            try {
                lock.verify();
                tryDisk();
                ServerRun next = ServerRun.start(lock.directory(), identity, port());
                probe = new ServerProbe(clock, port());
                startedNanos = clock.nanos();
                run = next;
                LOG.info("the embedded ZooKeeper serves again, on port {}", port());
                return;
            } catch (IOException | DirectoryLostException | RuntimeException | Error e) {
                failures.failed("the embedded ZooKeeper cannot start on port " + port() + " yet", e);
            }
        }
    }

    /** Writes a file, before a server tries to: on a full disk a server would leave parts of files, and log much. */
    private void tryDisk() throws IOException {
        Path trial = lock.directory().zookeeper().resolve("trial");
        try (FileChannel channel = FileChannel.open(
                trial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.allocate(TRIAL_BYTES);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } finally {
            Files.deleteIfExists(trial);
        }
    }

    private boolean closingWithin(Duration wait) throws InterruptedException {
        return closing.await(wait.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the server; returns when nothing is written any more. */
    @Override
    public void close() {
        closing.countDown();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        ServerRun last = run;
        if (last != null) {
            last.close();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
