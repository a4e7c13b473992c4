package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.idallocator.core.clock.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses a port where none is configured: the one that the directory's ZooKeeper had last, because clients may look for it there,
 * or else any free one.
 */
final class PortChoice {
    private static final Logger LOG = LoggerFactory.getLogger(PortChoice.class);

    /** Above the ports that Linux gives to outgoing connections: none of those sits on a port while its server is started anew. */
    private static final int FIRST = 61_000;

    private static final int BEHIND_LAST = 65_536;
    private static final int TRIES = 50;
    private static final int ANY = 0;

    /** A process that was killed lets go of its lock a moment before it lets go of its port. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration POLL = Duration.ofMillis(50);

    private PortChoice() {}

    /** Starts a server; {@code lastPort} is 0 where there was none. */
    static ServerRun start(DataDirectory directory, int lastPort) throws IOException, InterruptedException {
        Optional<ServerRun> run = lastPort == 0 ? Optional.empty() : again(directory, lastPort);
        for (int i = 0; run.isEmpty() && i < TRIES; i++) {
            run = ifFree(directory, ThreadLocalRandom.current().nextInt(FIRST, BEHIND_LAST));
        }
        return run.isPresent() ? run.get() : ServerRun.start(directory, ANY);
    }

    private static Optional<ServerRun> again(DataDirectory directory, int port)
            throws IOException, InterruptedException {
        Clock clock = Clock.system();
        long begun = clock.nanos();
        Optional<ServerRun> run = ifFree(directory, port);
        while (run.isEmpty() && clock.nanos() - begun < PATIENCE.toNanos()) {
            clock.park(POLL.toNanos());
            run = ifFree(directory, port);
        }
        return run;
    }

    private static Optional<ServerRun> ifFree(DataDirectory directory, int port)
            throws IOException, InterruptedException {
        try {
            return Optional.of(ServerRun.start(directory, port));
        } catch (BindException e) {
            LOG.debug("port {} is not free", port, e);
            return Optional.empty();
        }
    }
}
