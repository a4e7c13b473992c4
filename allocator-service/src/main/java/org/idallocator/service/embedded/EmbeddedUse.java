package org.idallocator.service.embedded;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.operator.EmbeddedMark;
import org.idallocator.zk.operator.UnreachableException;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * How a process uses the ZooKeeper of a directory: there is one at a time, and whoever comes first runs it. Those that come later
 * use the same one, and go on with it when the first one ends.
 *
 * <p>A later one believes an address only when the ZooKeeper there names the directory's identity. So nobody is led astray by an
 * address that a killed process has left, whatever listens there now. Closing this ends the use.
 *
 * @param directory the directory
 * @param connect the address for clients on this machine: {@code host:port}
 * @param identity the directory's {@link Identity#identity}
 * @param resource what is closed at the end
 */
record EmbeddedUse(DataDirectory directory, String connect, String identity, Closing resource)
        implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedUse.class);

    /** Something that is closed without a checked exception. */
    interface Closing extends AutoCloseable {
        @Override
        void close();
    }

    /** How long a process that has the directory may take to start its ZooKeeper. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** A guest goes on for a process that has ended within this time, also on a machine that is busy. */
    private static final Duration HAND_OVER = Duration.ofSeconds(2);

    /** Short, because people are told soon of a process that is paused; whoever is only slow is asked again. */
    private static final Duration PROBE = Duration.ofMillis(500);

    private static final Duration POLL = Duration.ofMillis(100);

    /**
     * Runs the ZooKeeper, or uses that of another process, and waits until it serves.
     *
     * @param start runs it; throws {@link DirectoryInUseException} when another process has the directory
     * @throws EmbeddedStartException when neither is possible
     */
    static EmbeddedUse of(DataDirectory directory, Supplier<EmbeddedZooKeeper> start) {
        return of(directory, start, PATIENCE);
    }

    /** The same; {@code patience} is for a process that has the directory and whose ZooKeeper does not serve yet. */
    static EmbeddedUse of(DataDirectory directory, Supplier<EmbeddedZooKeeper> start, Duration patience) {
        return first(
                directory,
                patience,
                () -> {
                    EmbeddedZooKeeper own = start.get();
                    return new EmbeddedUse(directory, own.connect(), own.identity(), own);
                },
                address -> new EmbeddedUse(
                        directory,
                        address.connect(),
                        address.identity(),
                        EmbeddedGuest.at(directory, address, EmbeddedZooKeeper::halt)));
    }

    /**
     * Uses the ZooKeeper that another process runs. Starts none, also not when that process ends.
     *
     * @throws EmbeddedStartException when no process runs one
     */
    static EmbeddedUse ofRunning(DataDirectory directory) {
        Clock clock = Clock.system();
        AtomicLong takenNanos = new AtomicLong(clock.nanos());
        return first(
                directory,
                PATIENCE,
                () -> {
                    if (directory.look(() -> DirectoryLock.isTaken(directory))) {
                        takenNanos.set(clock.nanos());
                    } else if (directory.look(() -> Guests.present(directory)).isEmpty()
                            || clock.nanos() - takenNanos.get() > HAND_OVER.toNanos()) {
                        throw new EmbeddedStartException("no ZooKeeper runs on " + directory
                                + "; start the service there (server), or name another configuration (-c FILE)");
                    }
                    throw new DirectoryInUseException(directory);
                },
                address -> new EmbeddedUse(directory, address.connect(), address.identity(), () -> {}));
    }

    /** What {@code start} gives, or else {@code join} of the address that is found first. */
    private static EmbeddedUse first(
            DataDirectory directory,
            Duration patience,
            Supplier<EmbeddedUse> start,
            Function<Address, EmbeddedUse> join) {
        Clock clock = Clock.system();
        Patience waiting = new Patience(directory, patience, clock, line -> Aloud.say(LOG, Level.WARN, line));
        while (true) {
            try {
                return start.get();
            } catch (DirectoryInUseException e) {
                Optional<Address> found = found(directory);
                if (found.isPresent()) {
                    return join.apply(found.get());
                }
                waiting.goesOn(e);
            }
            clock.park(POLL.toNanos());
        }
    }

    /** Where the directory's ZooKeeper serves; empty when none is found there now. */
    static Optional<Address> found(DataDirectory directory) {
        Optional<Address> address = directory.look(() -> JsonFile.read(directory.address(), Address.class));
        Optional<Identity> identity = directory.look(() -> Identity.read(directory));
        return address.filter(known ->
                identity.isPresent() && known.identity().equals(identity.get().identity()) && serves(known));
    }

    private static boolean serves(Address address) {
        try {
            ServerProbe.requireAnswer(address.port(), PROBE);
            return EmbeddedMark.read(ZooKeeperSettings.of(address.connect()).withoutLogin())
                    .filter(mark -> mark.identity().equals(address.identity()))
                    .isPresent();
        } catch (IOException | UnreachableException e) {
            LOG.debug("{} does not answer now", address, e);
            return false;
        }
    }

    @Override
    public void close() {
        resource.close();
    }
}
