package org.idallocator.service.server;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ByteArrayEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.idallocator.dropwizard.ids.IdService;
import org.idallocator.dropwizard.ids.Limits;
import org.idallocator.dropwizard.testing.ObedientSource;
import org.idallocator.service.testing.ObedientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When new connections come in again after there were as many as may be. */
class ConnectionLimitTest {
    private static final int MOST = 128;

    private static final long MIN_IDLE_MILLIS = 100;

    /** So many go at a time, at most. */
    private static final int SHARE = MOST / 32;

    private final Later later = new Later();
    private final Server server = new Server(null, later, null);
    private final Counting connector = new Counting(server);
    private final ConnectionLimit limit = new ConnectionLimit(
            server,
            new IdService(
                    new ObedientSource(),
                    scheme -> new ObedientApplication.Draws(),
                    new Limits(1, 1, Duration.ofSeconds(1), 1, MOST, 1),
                    refused -> {}));
    private final SocketChannel channel = SocketChannel.open();

    ConnectionLimitTest() throws IOException {
        server.addConnector(connector);
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
    }

    private void come(int connections) {
        for (int i = 0; i < connections; i++) {
            limit.onAccepting(channel);
        }
    }

    private void go(int connections) {
        for (int i = 0; i < connections; i++) {
            limit.onClosed(channel);
        }
    }

    /** With 5,000 open and as many who come again at once, looking at all for each took all processors. */
    @Test
    void shouldLookAtAllOnceForAShareOfThoseThatCome() {
        come(MOST);
        assertFalse(connector.isAccepting());
        assertEquals(1, connector.looks);

        go(SHARE - 1);
        assertFalse(connector.isAccepting());
        go(1);
        assertTrue(connector.isAccepting());
        come(SHARE - 1);
        assertTrue(connector.isAccepting());
        assertEquals(1, connector.looks);
        come(1);
        assertFalse(connector.isAccepting());
        assertEquals(2, connector.looks);
    }

    /** All others may have requests that are worked on for long. */
    @Test
    void shouldLetTheNextOneInAMomentAfterOneHasGone() {
        come(MOST);
        go(1);
        assertFalse(connector.isAccepting());

        later.pass();
        assertTrue(connector.isAccepting());
        come(1);
        assertFalse(connector.isAccepting());
    }

    @Test
    void shouldLookAgainAMomentLaterWhileNobodyGoes() {
        come(MOST);
        later.pass();
        later.pass();

        assertFalse(connector.isAccepting());
        assertEquals(3, connector.looks);
    }

    /** Beside silent ones, which can be closed, nobody else needs to make way. */
    @Test
    void shouldBeCrowdedOnlyWhereItIsFullAndNobodyIsSilent() {
        assertFalse(limit.isCrowded());
        come(MOST);
        assertTrue(limit.isCrowded());
        go(SHARE);
        assertFalse(limit.isCrowded());

        ByteArrayEndPoint silent = new ByteArrayEndPoint();
        connector.connected.add(silent);
        await().until(() -> silent.getIdleFor() > MIN_IDLE_MILLIS);
        come(SHARE);
        assertFalse(limit.isCrowded());
    }

    /** Has the connections of a test, and counts how often they are looked at. */
    private static final class Counting extends ServerConnector {
        private final List<EndPoint> connected = new ArrayList<>();
        private int looks;

        Counting(Server server) {
            super(server);
        }

        @Override
        public Collection<EndPoint> getConnectedEndPoints() {
            looks++;
            return connected;
        }
    }

    /** Does what was put off when a test says so. */
    private static final class Later extends AbstractLifeCycle implements Scheduler {
        private final Queue<Runnable> putOff = new ArrayDeque<>();

        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            putOff.add(task);
            return () -> putOff.remove(task);
        }

        void pass() {
            for (int i = putOff.size(); i > 0; i--) {
                putOff.remove().run();
            }
        }
    }
}
