package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.clock.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a ZooKeeper from outside whether it answers: it may seem to run although what accepts its connections has died. Asks every
 * two seconds at most, however often {@link #dead} is called. Not thread-safe.
 */
final class ServerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProbe.class);
    private static final long INTERVAL_NANOS = Duration.ofSeconds(2).toNanos();
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final String ANSWER = "Zookeeper";

    /** So many, because a pause of this process or a slow disk must not look like a death. */
    private static final int MISSES = 5;

    private final Clock clock;
    private final int port;
    private long askedNanos;
    private int misses;
    private @Nullable IOException lastMiss;

    ServerProbe(Clock clock, int port) {
        this.clock = clock;
        this.port = port;
        this.askedNanos = clock.nanos();
    }

    /** Why ZooKeeper counts as dead: it has not answered several times in a row; empty otherwise. */
    Optional<Exception> dead() {
        if (clock.nanos() - askedNanos >= INTERVAL_NANOS) {
            ask();
            askedNanos = clock.nanos();
        }
        return misses < MISSES ? Optional.empty() : Optional.of(new IOException("it does not answer", lastMiss));
    }

    private void ask() {
        try {
            requireAnswer(port, TIMEOUT);
            misses = 0;
        } catch (IOException e) {
            misses++;
            lastMiss = e;
            LOG.debug("the embedded ZooKeeper did not answer, {} times in a row", misses, e);
        }
    }

    /** Throws when no ZooKeeper answers on a port of this machine within twice a time. */
    static void requireAnswer(int port, Duration timeout) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) timeout.toMillis());
            socket.setSoTimeout((int) timeout.toMillis());
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(ANSWER.length()), StandardCharsets.US_ASCII);
            if (!answer.equals(ANSWER)) {
                throw new IOException("an answer must begin with " + ANSWER + ": " + answer);
            }
        }
    }
}
