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
 * Asks a ZooKeeper from outside whether it answers, as it may seem to run while what accepts its connections has died. Asks
 * every two seconds at most, however often it is asked itself. Not thread-safe.
 */
final class ServerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProbe.class);
    private static final long INTERVAL = Duration.ofSeconds(2).toNanos();
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final String ANSWER = "Zookeeper";

    /** A pause of this process or a slow disk must not look like a death. */
    private static final int MISSES = 5;

    private final Clock clock;
    private final int port;
    private long asked;
    private int misses;
    private @Nullable IOException lastMiss;

    ServerProbe(Clock clock, int port) {
        this.clock = clock;
        this.port = port;
        this.asked = clock.nanos();
    }

    /** Why it does not serve, when it has not answered several times in a row; empty otherwise. */
    Optional<Exception> dead() {
        if (clock.nanos() - asked >= INTERVAL) {
            ask();
            asked = clock.nanos();
        }
        return misses < MISSES ? Optional.empty() : Optional.of(new IOException("it does not answer", lastMiss));
    }

    private void ask() {
        try {
            requireAnswer();
            misses = 0;
        } catch (IOException e) {
            misses++;
            lastMiss = e;
            LOG.debug("the embedded ZooKeeper did not answer, {} times in a row", misses, e);
        }
    }

    private void requireAnswer() throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readNBytes(ANSWER.length()), StandardCharsets.US_ASCII);
            if (!answer.equals(ANSWER)) {
                throw new IOException("an answer must begin with " + ANSWER + ": " + answer);
            }
        }
    }
}
