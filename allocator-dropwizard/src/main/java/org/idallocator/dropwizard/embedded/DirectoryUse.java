package org.idallocator.dropwizard.embedded;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.embedded.DataDirectory.Work;
import org.idallocator.dropwizard.logging.AfterFailure;
import org.idallocator.dropwizard.logging.FailureLog;
import org.idallocator.dropwizard.logging.FileTrouble;
import org.idallocator.dropwizard.logging.Reminder;
import org.idallocator.dropwizard.process.ExitStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The use that one process makes of a directory's ZooKeeper. The process has one of two roles:
 *
 * <ul>
 *   <li>The <b>owner</b> has the directory's lock. It runs the server on the loopback interface, and publishes the
 *       server's address. When the server dies, for example because its disk is full, the owner starts another one on
 *       the same data and port.
 *   <li>A <b>client</b> uses the published address, and tries for the lock. When it gets the lock, the owner has ended.
 *       The client then becomes the owner, on the same data and port, so that the sessions of all clients go on.
 * </ul>
 *
 * <p>One thread looks at the directory four times a second. These rules make this safe:
 *
 * <ul>
 *   <li>Nobody writes in the directory, or starts a server on its data, without the lock. A new owner first deletes the
 *       published address, which may be that of a killed process. An owner that closes in order deletes the address
 *       before its server stops.
 *   <li>The port and the identity of the data stay the same as long as this is open. Each connection begins with the
 *       identity, and every other ZooKeeper on that port refuses the identity. So an outdated address does no harm.
 *   <li>If the directory is replaced, or another process has locked it as well, a second server may give away what this
 *       process has reserved. Then the process ends with status 3.
 *   <li>A paused process keeps its lock. If the lock file is removed, only the owner makes and locks a new one. Nobody
 *       else locks data without a lock file, because a paused owner could not be seen.
 * </ul>
 *
 * <p>Thread-safe: the object's monitor guards its mutable fields.
 */
final class DirectoryUse implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryUse.class);
    private static final Clock CLOCK = Clock.system();

    private static final Duration LOOK_INTERVAL = Duration.ofMillis(250);

    /** The time between two starts of a server, because each start on a full disk costs some work. */
    private static final Duration RESTART_INTERVAL = Duration.ofSeconds(2);

    /** How long an owner may take to start its server. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    /** Ticks of uid60, the longest of all schemes, begin with a whole second. */
    private static final ChronoUnit LONGEST_TICK = ChronoUnit.SECONDS;

    private final DataDirectory directory;
    private final Consumer<ExitStatus> halt;
    private final Object key;

    /** Keeps the data directory open, so that no other directory can get its inode, and with that its key. */
    private final DirectoryStream<Path> opened;

    private final FailureLog failures = new FailureLog(LOG);
    private final Reminder reminder = new Reminder(LOG);
    private volatile Address address;
    private @Nullable DirectoryLock lock;
    private @Nullable EmbeddedServer server;
    private long nextStartNanos = CLOCK.nanos();
    private boolean closed;

    @SuppressWarnings("StreamResourceLeak") // it stays open until this is closed
    private DirectoryUse(
            DataDirectory directory, Address address, @Nullable DirectoryLock lock, Consumer<ExitStatus> halt)
            throws IOException {
        this.directory = directory;
        this.address = address;
        this.lock = lock;
        this.halt = halt;
        this.key = DataDirectory.key(directory.files());
        this.opened = Files.newDirectoryStream(directory.files());
    }

    /**
     * Uses the ZooKeeper of a directory, which is made if need be. Runs that ZooKeeper, unless another process runs it.
     * Waits until the ZooKeeper serves.
     *
     * @param atFirst is called where this call made the data
     * @param patience how long to wait for an owner that does not serve yet
     * @throws EmbeddedStartException when the directory cannot be used, or another owner does not serve in time
     */
    static DirectoryUse open(DataDirectory directory, AtFirst atFirst, Duration patience) {
        return open(directory, () -> DirectoryLock.tryLock(directory), atFirst, patience)
                .startWatching();
    }

    /** What is done with a ZooKeeper that has no data yet. */
    interface AtFirst {
        AtFirst NOTHING = (address, lastChange) -> {};

        /**
         * Called before any other process can find the ZooKeeper.
         *
         * @param address where the ZooKeeper serves
         * @param lastChange before its data were made; if there were others, somebody removed them then, or earlier
         */
        void begin(Address address, Instant lastChange);
    }

    /**
     * Uses the ZooKeeper of a directory that has data, and makes nothing.
     *
     * @throws EmbeddedStartException when the directory has no data or cannot be used, or another owner does not serve
     *     in time
     */
    static DirectoryUse openExisting(DataDirectory directory) {
        return open(directory, () -> DirectoryLock.tryLockExisting(directory), AtFirst.NOTHING, PATIENCE)
                .startWatching();
    }

    /**
     * Uses the ZooKeeper that another process runs, and never takes over.
     *
     * @throws EmbeddedStartException when no process runs one
     */
    static DirectoryUse openRunning(DataDirectory directory) {
        return open(directory, () -> lockOfOther(directory), AtFirst.NOTHING, PATIENCE);
    }

    /** Requires that another process has the lock, which this one therefore does not get. */
    private static Optional<DirectoryLock> lockOfOther(DataDirectory directory) throws IOException {
        DirectoryLock.requireTakenOrRemoveAddress(directory);
        return Optional.empty();
    }

    private static DirectoryUse open(
            DataDirectory directory, Work<Optional<DirectoryLock>> lock, AtFirst atFirst, Duration patience) {
        try {
            for (long begunNanos = CLOCK.nanos(); ; CLOCK.park(POLL_INTERVAL.toNanos())) {
                Instant lastChange = directory.lastChange(); // before the lock's file is made
                Optional<DirectoryLock> free = lock.run();
                if (free.isPresent()) {
                    return openAsOwner(free.get(), first -> atFirst.begin(first, lastChange), DirectoryUse::endProcess);
                }
                Optional<Address> serving = publishedAddress(directory);
                if (serving.isPresent()) {
                    return openAsClient(directory, serving.get(), DirectoryUse::endProcess);
                }
                if (CLOCK.nanos() - begunNanos >= patience.toNanos()) {
                    throw new EmbeddedStartException(directory + whyInUse(directory, patience));
                }
            }
        } catch (IOException e) {
            throw EmbeddedStartException.unusable(directory, e);
        }
    }

    /** The published address, if it is for these data and on this machine. */
    private static Optional<Address> publishedAddress(DataDirectory directory) throws IOException {
        Optional<String> identity = Identity.read(directory).map(Identity::identity);
        return JsonFile.read(directory.address(), Address.class)
                .filter(found -> identity.equals(Optional.of(found.identity())) && found.isOnThisMachine());
    }

    private static String whyInUse(DataDirectory directory, Duration patience) throws IOException {
        return JsonFile.read(directory.address(), Address.class)
                .filter(found -> !found.isOnThisMachine())
                .map(found -> " is in use on " + found.host() + ", by process " + found.pid()
                        + ", and no ZooKeeper answers on this machine: several machines need one ensemble"
                        + " (zookeeper.connect); if that is an earlier name of this machine, stop that process")
                .orElse(" is in use by another process, which did not say where its ZooKeeper serves within "
                        + patience.toSeconds() + " s; stop that process");
    }

    /**
     * Becomes the owner of a directory that this process has locked, and blocks until the server serves. Call
     * {@link #startWatching} afterwards. Closing this unlocks the directory; so does a start that fails.
     *
     * @param atFirst is given the address of a ZooKeeper that cannot have lost data, because this call made its data
     *     directory
     * @param halt is called with the exit status when the process must end
     */
    static DirectoryUse openAsOwner(DirectoryLock lock, Consumer<Address> atFirst, Consumer<ExitStatus> halt)
            throws IOException {
        DataDirectory directory = lock.directory();
        AutoCloseable begun = lock;
        try {
            Files.deleteIfExists(directory.address());
            boolean made = !Files.exists(directory.zookeeper());
            Files.createDirectories(directory.files());
            Identity last = Identity.readOrMake(directory);
            DirectoryUse owner = new DirectoryUse(directory, Address.of(last.identity(), last.port()), lock, halt);
            begun = owner;
            owner.begin(last, made ? atFirst : first -> {});
            return owner;
        } catch (IOException | RuntimeException | Error e) {
            AfterFailure.close(e, begun);
            throw e;
        }
    }

    private synchronized void begin(Identity last, Consumer<Address> atFirst) throws IOException {
        server = EmbeddedServer.startOnFreePort(directory, last);
        address = Address.of(last.identity(), server.port());
        atFirst.accept(address);
        publish();
    }

    /** A client of the owner that serves at an address. It takes over only after {@link #startWatching}. */
    static DirectoryUse openAsClient(DataDirectory directory, Address address, Consumer<ExitStatus> halt)
            throws IOException {
        return new DirectoryUse(directory, address, null, halt);
    }

    /** Starts the thread that looks at the directory. */
    DirectoryUse startWatching() {
        Thread thread = new Thread(this::watch, "embedded-zookeeper");
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /**
     * Waits until whoever used data that somebody removed has noticed that, and has ended; and then for the next tick,
     * so that no ID drawn later has the tick of one that was drawn until then. That process looks after
     * {@link #LOOK_INTERVAL}, and has half a second more for it and for its end; file systems may round the time of the
     * removal down to a second. So this takes at most 2 s, and no time where the removal was longer ago.
     */
    static void awaitLaterTick(Instant removed, Clock clock) {
        long begunNanos = clock.nanos();
        Instant now = clock.instant();
        Instant latest = removed.isBefore(now) ? removed : now;
        Instant laterTick = latest.truncatedTo(LONGEST_TICK).plus(2, LONGEST_TICK);
        long waitNanos = Duration.between(now, laterTick).toNanos();
        for (long left = waitNanos; left > 0; left = waitNanos - (clock.nanos() - begunNanos)) {
            clock.park(left);
        }
    }

    /** Ends the process at once, because nothing more may be written in the directory. */
    private static void endProcess(ExitStatus status) {
        Runtime.getRuntime().halt(status.code());
    }

    private void watch() {
        try {
            while (look()) {
                CLOCK.park(LOOK_INTERVAL.toNanos());
            }
        } catch (DirectoryLostException e) {
            OperatorAlert.raise(
                    LOG, Level.ERROR, e.getMessage() + "; the process ends, because it cannot go on safely");
            halt.accept(ExitStatus.UNSAFE);
        }
    }

    /**
     * Looks at the directory once; returns false when this is closed. Whatever fails is tried again at the next look.
     *
     * @throws DirectoryLostException when the process must not go on with the directory
     */
    private synchronized boolean look() throws DirectoryLostException {
        if (closed) {
            return false;
        }
        try {
            verify();
            if (lock == null) {
                takeOver();
            } else {
                lock.ensureLocked();
                serve();
            }
            if (isStartDue()) {
                failures.succeeded(); // a client, or an owner whose server has lived for a while
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.failed(directory + " cannot be looked at now", e);
        }
        return true;
    }

    /**
     * Checks that the directory is the one that this process began to use.
     *
     * @throws DirectoryLostException when the data are gone, are those of another ZooKeeper, or are served on another
     *     port; others then use the data without this process
     */
    void verify() throws IOException, DirectoryLostException {
        Optional<String> identity = Identity.read(directory).map(Identity::identity);
        Optional<Integer> port =
                JsonFile.read(directory.address(), Address.class).map(Address::port);
        if (!directory.holdsData()
                || !DataDirectory.key(directory.files()).equals(key)
                || !identity.orElse(address.identity()).equals(address.identity())
                || port.orElse(address.port()) != address.port()) {
            throw new DirectoryLostException(
                    directory + " is not what this process began to use: it was removed or replaced,"
                            + " or its ZooKeeper serves on another port than " + address.port());
        }
    }

    /**
     * Becomes the owner when there is none. The server is started by the next look, which first checks the directory
     * again, now that nobody else can change it.
     */
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

    /**
     * Starts a server where none lives, and publishes its address, also when somebody has removed the published one.
     */
    private void serve() throws IOException {
        if (server != null && server.failure().isPresent()) {
            EmbeddedServer dead = server;
            remindOfTheDisk("has died", dead.failure().get());
            server = null;
            dead.close();
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

    /** Starts a server on the same port as before, because sessions of other processes depend on that port. */
    private void start() {
        nextStartNanos = CLOCK.nanos() + RESTART_INTERVAL.toNanos();
        try {
            server = EmbeddedServer.start(directory, address.identity(), address.port());
            LOG.info("the embedded ZooKeeper serves again, on port {}", address.port());
        } catch (BindException | RuntimeException e) {
            failures.failed("the embedded ZooKeeper cannot start on port " + address.port() + " yet", e);
        } catch (IOException e) {
            remindOfTheDisk("cannot start", e);
        }
    }

    /** Reminds the operator of the free disk space, because most servers die, or cannot start again, for lack of it. */
    private void remindOfTheDisk(String what, IOException why) {
        reminder.warn(
                "the embedded ZooKeeper " + what + ": " + FileTrouble.inWords(why) + "; the disk of " + directory.path()
                        + " has " + directory.freeBytes() + " bytes free; it is started again by itself",
                why);
    }

    private void publish() throws IOException {
        JsonFile.write(directory.identity(), Identity.of(directory, address));
        JsonFile.write(directory.address(), Address.of(address.identity(), address.port()));
    }

    DataDirectory directory() {
        return directory;
    }

    /** The address at which this process finds the ZooKeeper. Constant as long as this is open. */
    Address address() {
        return address;
    }

    /** Ends the use. When this returns, this process writes nothing in the directory any more. */
    @Override
    public synchronized void close() {
        closed = true;
        DirectoryLock held = lock;
        EmbeddedServer running = server;
        // Resources are closed in reverse order, so nobody gets the lock while the server still writes.
        try (opened;
                held;
                running) {
            if (held != null) {
                Files.deleteIfExists(directory.address());
            }
        } catch (IOException e) {
            LOG.warn("{} was not left in order", directory, e);
        }
    }
}
