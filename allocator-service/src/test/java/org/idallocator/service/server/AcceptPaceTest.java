package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.idallocator.core.clock.ScriptedClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AcceptPaceTest {
    private final ScriptedClock clock = new ScriptedClock(0);
    private final AcceptPace pace = new AcceptPace(clock);
    private final SocketChannel channel = SocketChannel.open();

    AcceptPaceTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    @Test
    void shouldRestBetweenConnectionsThatComeAtTheSameTime() {
        for (int i = 0; i < 11; i++) {
            pace.onAccepting(channel);
        }

        assertEquals(10 * AcceptPace.LEAST_NANOS, clock.nanos());
    }

    @Test
    void shouldRestForWhatIsLeft() {
        pace.onAccepting(channel);
        clock.advance(Duration.ofNanos(AcceptPace.LEAST_NANOS - 1));
        pace.onAccepting(channel);

        assertEquals(AcceptPace.LEAST_NANOS, clock.nanos());
    }

    @Test
    void shouldDelayNoConnectionThatComesAlone() {
        pace.onAccepting(channel);
        clock.advance(Duration.ofNanos(AcceptPace.LEAST_NANOS));
        pace.onAccepting(channel);

        assertEquals(AcceptPace.LEAST_NANOS, clock.nanos());
    }
}
