package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.failures.AfterFailure;
import org.idallocator.service.failures.RepeatedFailures;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's use of the ZooKeeper of a directory. The process is in one of two states:
 *
 * <ul>
 *   <li>The <b>owner</b> has the directory's lock. It runs the server, on the loopback interface, and publishes where that serves.
 *       When the server dies, as it does when its disk is full, the owner starts another one on the same data and port.
 *   <li>A <b>client</b> uses the published address, and tries for the lock. When it gets the lock, the owner has ended: the client
 *       becomes the owner, on the same data and port, so that the sessions of all clients go on.
 * </ul>
 *
 * <p>One thread looks four times a second. What it does is right for these reasons:
 *
 * <ul>
 *   <li>Nobody writes in the directory, or reads its data into a server, without the lock. The first act of a new owner is to
 *       delete the published address, which may be that of a process that was killed. An owner that closes in order deletes it
 *       before the server stops.
 *   <li>The port and the identity of the data stay the same for as long as this is open. Each connection begins with the identity,
 *       and every other ZooKeeper on that port refuses it. So an address that is out of date leads nobody astray.
 *   <li>Where the directory is not the same any more, or somebody else has locked it as well, a second server may give away what
 *       this process has reserved. Then the process ends, with status 3.
 *   <li>A process that is paused keeps its lock. Data without a lock file are locked by nobody but their owner, who makes the file
 *       anew: a newcomer could not see an owner that is paused.
 * </ul>
 *
 * <p>Thread-safe: this object's monitor guards what changes.
 */
final class EmbeddedZooKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
    private static final Clock CLOCK = Clock.system();

    /** The status with which a process ends that cannot go on safely. */
    private static final int STATUS = 3;

    private static final Duration LOOK = Duration.ofMillis(250);

    /** Between two starts of a server; each attempt on a full disk costs some work, and lines in ZooKeeper's log. */
    private static final Duration RESTART = Duration.ofSeconds(2);

    /** How long an owner may take to start its server. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A client has taken over for an owner that was killed within this time, also on a machine that is busy. */
    private static final Duration HAND_OVER = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final IntConsumer HALT = Runtime.getRuntime()::halt;

    private final DataDirectory directory;
    private final OpenDirectory opened;
    private final Address address;
    private final IntConsumer halt;
    private final RepeatedFailures failures = new RepeatedFailures(LOG);
    private @Nullable DirectoryLock lock;
    private @Nullable EmbeddedServer server;
    private long nextStartNanos = CLOCK.nanos();
    private boolean closed;

    private EmbeddedZooKeeper(DataDirectory directory, OpenDirectory opened, Address address, IntConsumer halt) {
        this.directory = directory;
        this.opened = opened;
        this.address = address;
        this.halt = halt;
    }

    /**
     * Runs the ZooKeeper of a directory, which is made if need be, or uses that of another process. Waits until one serves.
     *
     * @param port 0 for the port that it had last, or else any free one
     * @param atFirst is given the address of a ZooKeeper that can have lost no data, because this call made the place for them,
     *     before any other process can find that ZooKeeper
     * @throws EmbeddedStartException when the directory cannot be used, or the port is taken, or no other process serves in time
     */
    static EmbeddedZooKeeper open(DataDirectory directory, int port, Consumer<Address> atFirst) {
        return open(directory, port, atFirst, PATIENCE);
    }

    /** The same; {@code patience} is for an owner that does not serve yet. */
    static EmbeddedZooKeeper open(DataDirectory directory, int port, Consumer<Address> atFirst, Duration patience) {
        return await(directory, patience, () -> use(directory, DirectoryLock.tryLock(directory), port, atFirst));
    }

    /** The same for a directory with data; makes nothing, and throws {@link EmbeddedStartException} when there are none. */
    static EmbeddedZooKeeper existing(DataDirectory directory, int port) {
        return await(
                directory, PATIENCE, () -> use(directory, DirectoryLock.tryLockExisting(directory), port, first -> {}));
    }

    private static Optional<EmbeddedZooKeeper> use(
            DataDirectory directory, Optional<DirectoryLock> free, int port, Consumer<Address> atFirst)
            throws IOException {
        return free.isPresent()
                ? Optional.of(owner(free.get(), port, atFirst, HALT))
                : client(directory).map(EmbeddedZooKeeper::watched);
    }

    /**
     * Uses the ZooKeeper that another process runs, and neither makes anything nor takes over.
     *
     * @throws EmbeddedStartException when no process runs one
     */
    static EmbeddedZooKeeper running(DataDirectory directory) {
        long begunNanos = CLOCK.nanos();
        return await(directory, PATIENCE, () -> {
            if (DirectoryLock.isTaken(directory)) {
                return client(directory);
            }
            // An owner that was killed has left its address, and a client may take over.
            if (!Files.exists(directory.address()) || CLOCK.nanos() - begunNanos > HAND_OVER.toNanos()) {
                throw new EmbeddedStartException("no ZooKeeper runs on " + directory
                        + "; start the service there (server), or name another configuration (-c FILE)");
            }
            return Optional.empty();
        });
    }

    private static EmbeddedZooKeeper await(
            DataDirectory directory, Duration patience, DataDirectory.Work<Optional<EmbeddedZooKeeper>> attempt) {
        long begunNanos = CLOCK.nanos();
        try {
            Optional<EmbeddedZooKeeper> opened = attempt.run();
            while (opened.isEmpty()) {
                if (CLOCK.nanos() - begunNanos >= patience.toNanos()) {
                    throw new EmbeddedStartException(directory + inUse(directory, patience));
                }
                CLOCK.park(POLL.toNanos());
                opened = attempt.run();
            }
            return opened.get();
        } catch (IOException e) {
            throw new EmbeddedStartException(directory + " cannot be used: " + e, e);
        }
    }

    private static String inUse(DataDirectory directory, Duration patience) throws IOException {
        return JsonFile.read(directory.address(), Address.class)
                .filter(found -> !found.onThisMachine())
                .map(found -> " is in use on " + found.host() + ", by process " + found.pid()
                        + ", and its ZooKeeper serves that machine alone; name another directory, or for several machines one"
                        + " ensemble (zookeeper.connect)")
                .orElse(" is in use by another process, which did not say where its ZooKeeper serves within "
                        + patience.toSeconds() + " s; stop that process, or name another directory");
    }

    /** A client of the owner; empty where no owner on this machine says of these data where it serves. */
    private static Optional<EmbeddedZooKeeper> client(DataDirectory directory) throws IOException {
        Optional<Address> found =
                JsonFile.read(directory.address(), Address.class).filter(Address::onThisMachine);
        Optional<String> identity = Identity.read(directory).map(Identity::identity);
        return found.isPresent() && found.map(Address::identity).equals(identity)
                ? Optional.of(client(directory, found.get(), HALT))
                : Optional.empty();
    }

    /**
     * Becomes the owner of a directory that this process has locked, and blocks until the server serves. Closing this unlocks the
     * directory, and so does a start that fails. {@code halt} is called with a status when the process must end.
     */
    static EmbeddedZooKeeper owner(DirectoryLock lock, int port, Consumer<Address> atFirst, IntConsumer halt)
            throws IOException {
        DataDirectory directory = lock.directory();
        try {
            Files.deleteIfExists(directory.address());
            Files.createDirectories(directory.files());
            Identity last = Identity.readOrMake(directory);
            OpenDirectory opened = OpenDirectory.of(directory);
            EmbeddedServer first = firstServer(directory, last, port);
            Address address = Address.of(last.identity(), first.port());
            return new EmbeddedZooKeeper(directory, opened, address, halt).begin(lock, first, atFirst);
        } catch (IOException | RuntimeException | Error e) {
            AfterFailure.close(e, lock);
            throw e;
        }
    }

    private static EmbeddedServer firstServer(DataDirectory directory, Identity last, int port) throws IOException {
        if (port == 0) {
            return EmbeddedServer.startAnywhere(directory, last);
        }
        try {
            return EmbeddedServer.start(directory, last.identity(), port);
        } catch (BindException e) {
            throw new EmbeddedStartException(
                    "zookeeper.embedded.port " + port + " cannot be listened on: " + e.getMessage(), e);
        }
    }

    private synchronized EmbeddedZooKeeper begin(DirectoryLock own, EmbeddedServer first, Consumer<Address> atFirst)
            throws IOException {
        lock = own;
        server = first;
        try {
            if (own.newlyCreated()) {
                atFirst.accept(address);
            }
            publish();
            return watched();
        } catch (IOException | RuntimeException | Error e) {
            AfterFailure.close(e, this);
            throw e;
        }
    }

    /** A client of the owner that serves at an address. It takes over when it is {@link #watched}. */
    static EmbeddedZooKeeper client(DataDirectory directory, Address address, IntConsumer halt) throws IOException {
        return new EmbeddedZooKeeper(directory, OpenDirectory.of(directory), address, halt);
    }

    /** Begins to look. */
    EmbeddedZooKeeper watched() {
        Thread thread = new Thread(this::watch, "embedded-zookeeper");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    private void watch() {
        try {
            while (lookIfOpen()) {
                CLOCK.park(LOOK.toNanos());
            }
        } catch (DirectoryLostException e) {
            System.err.println(e.getMessage() + "; the process ends, because it cannot go on safely");
            halt.accept(STATUS);
        }
    }

    /** Whatever fails is tried again, except that nobody goes on with a directory that is lost. */
    private synchronized boolean lookIfOpen() throws DirectoryLostException {
        try {
            if (!closed) {
                look();
                if (isStartDue()) {
                    failures.succeeded(); // a client, or an owner whose server has lived for a while
                }
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.failed(directory + " cannot be looked at now", e);
        }
        return !closed;
    }

    private void look() throws IOException, DirectoryLostException {
        opened.verify();
        verifySame();
        if (lock == null) {
            takeOver();
        } else {
            lock.verify();
            serve();
        }
    }

    /** Where somebody else has made these data another ZooKeeper's, or serves them elsewhere, other processes use that one. */
    private void verifySame() throws IOException, DirectoryLostException {
        Optional<Identity> data = Identity.read(directory);
        if (data.isPresent() && !data.get().identity().equals(address.identity())) {
            throw new DirectoryLostException(directory + " holds other data than when this process began to use it");
        }
        Optional<Address> now = JsonFile.read(directory.address(), Address.class);
        if (now.isPresent() && now.get().port() != address.port()) {
            throw new DirectoryLostException("the ZooKeeper of " + directory + " serves on port "
                    + now.get().port() + ", and no longer on port " + address.port()
                    + ", which this process uses; start this process again");
        }
    }

    /** Becomes the owner when nobody is. The next look starts the server, if the directory is the same when nobody else can change it. */
    private void takeOver() throws IOException {
        lock = DirectoryLock.tryLockExisting(directory).orElse(null);
        if (lock != null) {
            LOG.info(
                    "process {}, which ran the embedded ZooKeeper, has ended: this process runs it on, on port {}",
                    address.pid(),
                    address.port());
            Files.deleteIfExists(directory.address());
        }
    }

    /** Starts a server where none lives, and says where it serves, also when somebody has removed what was said. */
    private void serve() throws IOException {
        if (server != null && server.ended().isPresent()) {
            failures.failed(
                    "the embedded ZooKeeper has died; it is started again",
                    server.ended().get());
            server.close();
            server = null;
        }
        if (server == null && isStartDue()) {
            start();
        }
        if (server != null) {
            publish();
        }
    }

    private boolean isStartDue() {
        return CLOCK.nanos() - nextStartNanos >= 0;
    }

    /** Other processes have sessions on the port, so no other port would do. */
    private void start() {
        nextStartNanos = CLOCK.nanos() + RESTART.toNanos();
        try {
            server = EmbeddedServer.start(directory, address.identity(), address.port());
            LOG.info("the embedded ZooKeeper serves again, on port {}", address.port());
        } catch (IOException | RuntimeException e) {
            failures.failed("the embedded ZooKeeper cannot start on port " + address.port() + " yet", e);
        }
    }

    private void publish() throws IOException {
        Identity identity = Identity.of(directory, address);
        if (!Identity.read(directory).equals(Optional.of(identity))) {
            JsonFile.write(directory.identity(), identity);
        }
        Address own = Address.of(address.identity(), address.port());
        if (!JsonFile.read(directory.address(), Address.class).equals(Optional.of(own))) {
            JsonFile.write(directory.address(), own);
        }
    }

    DataDirectory directory() {
        return directory;
    }

    /** Where this process finds the ZooKeeper, for as long as this is open. */
    Address address() {
        return address;
    }

    /** Ends the use. When this returns, this process writes nothing in the directory any more. */
    @Override
    public synchronized void close() {
        closed = true;
        if (lock != null) {
            try {
                Files.deleteIfExists(directory.address());
            } catch (IOException e) {
                LOG.warn("{} is left behind, until the next process runs the ZooKeeper", directory.address(), e);
            }
            if (server != null) {
                server.close();
            }
            lock.close();
        }
        opened.close();
    }
}
