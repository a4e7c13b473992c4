package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses a port where none is configured: the one that the directory's ZooKeeper had last, because clients may look for it there,
 * or else any free one. Refuses another port than the last one while other processes use the ZooKeeper there.
 */
final class PortChoice {
    private static final Logger LOG = LoggerFactory.getLogger(PortChoice.class);

    /** Above the ports that Linux gives to outgoing connections: none of those sits on a port while its server is started anew. */
    private static final int FIRST = 61_000;

    private static final int TRIES = 50;
    private static final int ANY = 0;

    /** A process that was killed lets go of its lock a moment before it lets go of its port. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration POLL = Duration.ofMillis(50);

    private final DataDirectory directory;
    private final Identity identity;

    /** A choice for the process that has locked the directory. */
    PortChoice(DataDirectory directory, Identity identity) {
        this.directory = directory;
        this.identity = identity;
    }

    /**
     * Starts a server.
     *
     * @param configured 0 for the port that the directory's ZooKeeper had last, or else any free one
     * @throws EmbeddedStartException when another port than the last one would be taken, and other processes use that one
     * @throws BindException when the configured port is taken
     */
    ServerRun start(int configured) throws IOException, InterruptedException {
        if (configured == 0) {
            return startAnywhere();
        }
        if (configured != identity.port()) {
            requireNoGuests("zookeeper.embedded.port is " + configured);
        }
        return ServerRun.start(directory, identity, configured);
    }

    private ServerRun startAnywhere() throws IOException, InterruptedException {
        Optional<ServerRun> run = Optional.empty();
        if (identity.port() != 0) {
            run = again();
            if (run.isEmpty()) {
                requireNoGuests("another program listens on port " + identity.port());
            }
        }
        for (int i = 0; run.isEmpty() && i < TRIES; i++) {
            run = ifFree(ThreadLocalRandom.current().nextInt(FIRST, ZooKeeperSettings.LARGEST_PORT + 1));
        }
        return run.isPresent() ? run.get() : ServerRun.start(directory, identity, ANY);
    }

    /** Others would be left on a port where nothing serves them. */
    private void requireNoGuests(String why) throws IOException {
        List<String> guests = Guests.present(directory);
        if (!guests.isEmpty()) {
            throw new EmbeddedStartException(why + ", but the ZooKeeper of " + directory + " was on port "
                    + identity.port() + ", where other processes still use it: " + String.join(", ", guests)
                    + "; free that port for it, or stop those processes first");
        }
    }

    private Optional<ServerRun> again() throws IOException, InterruptedException {
        Clock clock = Clock.system();
        long begun = clock.nanos();
        Optional<ServerRun> run = ifFree(identity.port());
        while (run.isEmpty() && clock.nanos() - begun < PATIENCE.toNanos()) {
            clock.park(POLL.toNanos());
            run = ifFree(identity.port());
        }
        return run;
    }

    private Optional<ServerRun> ifFree(int port) throws IOException, InterruptedException {
        try {
            return Optional.of(ServerRun.start(directory, identity, port));
        } catch (BindException e) {
            LOG.debug("port {} is not free", port, e);
            return Optional.empty();
        }
    }
}
