package org.idallocator.service.embedded;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProbeTest {
    private static final long STEP_NANOS = 1_000_000_000;

    private long nowNanos;

    private final class ManualClock implements Clock {
        @Override
        public long micros() {
            return nowNanos / 1_000;
        }

        @Override
        public long nanos() {
            return nowNanos;
        }

        @Override
        public void park(long nanos) {
            throw new UnsupportedOperationException();
        }
    }

    /** Whether the probe finds the server dead, second after second. */
    private List<Boolean> dead(ServerProbe probe, int seconds) {
        return IntStream.range(0, seconds)
                .mapToObj(second -> {
                    nowNanos += STEP_NANOS;
                    return probe.dead().isPresent();
                })
                .toList();
    }

    private static List<Boolean> falseThenTrue(int times) {
        return IntStream.rangeClosed(0, times).mapToObj(i -> i == times).toList();
    }

    @Test
    void shouldBeDeadWhenNobodyListensForTenSeconds() {
        ServerProbe probe = new ServerProbe(new ManualClock(), Ports.free(1).get(0));

        assertEquals(falseThenTrue(9), dead(probe, 10));
    }

    @Test
    void shouldSayWhyWhenDead() {
        ServerProbe probe = new ServerProbe(new ManualClock(), Ports.free(1).get(0));
        dead(probe, 10);

        assertInstanceOf(ConnectException.class, probe.dead().orElseThrow().getCause());
    }

    @Test
    void shouldBeDeadWhenConnectionsAreAcceptedAndNotAnswered() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            ServerProbe probe = new ServerProbe(new ManualClock(), silent.getLocalPort());

            assertEquals(falseThenTrue(9), dead(probe, 10));
        }
    }

    @Test
    void shouldNotBeDeadWhileAServerAnswers(@TempDir Path data) {
        try (EmbeddedZooKeeper server = EmbeddedZooKeeper.start(DirectoryLock.on(data), 0, connect -> {})) {
            int port = Integer.parseInt(server.connect().split(":", 2)[1]);

            assertEquals(
                    List.of(false),
                    dead(new ServerProbe(new ManualClock(), port), 30).stream()
                            .distinct()
                            .toList());
        }
    }
}
