package org.idallocator.service.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.idallocator.core.clock.Clock;

/**
 * Asks a ZooKeeper from outside whether it answers, as it may seem to run while what accepts its connections has died. Asks
 * every two seconds at most, however often it is asked itself. Not thread-safe.
 */
final class ServerProbe {
    private static final long INTERVAL = Duration.ofSeconds(2).toNanos();
    private static final int TIMEOUT_MILLIS = 1_000;
    private static final int ANSWER_BYTES = 9;
    private static final String ANSWER = "Zookeeper";

    /** A pause of this process or a slow disk must not look like a death. */
    private static final int MISSES = 5;

    private final Clock clock;
    private final int port;
    private long asked;
    private int misses;

    ServerProbe(Clock clock, int port) {
        this.clock = clock;
        this.port = port;
        this.asked = clock.nanos();
    }

    /** Whether it has not answered several times in a row. */
    boolean dead() {
        if (clock.nanos() - asked >= INTERVAL) {
            misses = answers() ? 0 : misses + 1;
            asked = clock.nanos();
        }
        return misses >= MISSES;
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            byte[] answer = socket.getInputStream().readNBytes(ANSWER_BYTES);
            return new String(answer, StandardCharsets.US_ASCII).equals(ANSWER);
        } catch (IOException e) {
            return false;
        }
    }
}
