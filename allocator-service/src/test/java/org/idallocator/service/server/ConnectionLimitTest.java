package org.idallocator.service.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final AtomicInteger refused = new AtomicInteger();
    private final Later later = new Later();
    private final Server server = new Server(null, later, null);
    private final Counting connector = new Counting(server);
    private final ConnectionLimit limit = new ConnectionLimit(
            server,
            new IdService(
                    new ObedientSource(),
                    scheme -> new ObedientApplication.Draws(),
                    new Limits(1, 1, Duration.ofSeconds(1), 1, MOST, 1),
                    limit -> refused.incrementAndGet()));
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

    /** Where nobody is silent; all others stay. */
    @Test
    void shouldHaveAShareMakeWay() {
        connector.connected.addAll(Collections.nCopies(MOST, new SilentFor(0)));
        assertFalse(limit.tryMakeWay());
        come(MOST);
        for (int i = 0; i < SHARE; i++) {
            assertTrue(limit.isCrowded());
            assertTrue(limit.tryMakeWay());
        }
        assertFalse(limit.isCrowded());
        assertFalse(limit.tryMakeWay());
        assertEquals(SHARE, refused.get());

        later.pass();
        assertTrue(limit.isCrowded(), "none of them has gone yet");
        go(SHARE);
        assertFalse(limit.isCrowded());
    }

    /** As many others make way as are missing. */
    @Test
    void shouldCloseSilentOnesFirst() {
        SilentFor silent = new SilentFor(MIN_IDLE_MILLIS + 1);
        connector.connected.addAll(Collections.nCopies(MOST - 1, new SilentFor(MIN_IDLE_MILLIS)));
        connector.connected.add(silent);
        come(MOST);

        assertFalse(silent.isOpen());
        for (int i = 1; i < SHARE; i++) {
            assertTrue(limit.tryMakeWay());
        }
        assertFalse(limit.tryMakeWay());
    }

    /** They make room when their clients leave, and count once. */
    @Test
    void shouldWaitForThoseWhoHaveMadeWay() {
        SilentFor left = new SilentFor(0);
        left.shutdownOutput();
        SilentFor stays = new SilentFor(MIN_IDLE_MILLIS + 1);
        stays.shutdownOutput();
        connector.connected.addAll(Collections.nCopies(MOST - 1, new SilentFor(0)));
        connector.connected.add(left);
        come(MOST);
        for (int i = 1; i < SHARE; i++) {
            assertTrue(limit.tryMakeWay());
        }
        assertFalse(limit.tryMakeWay());

        connector.connected.set(0, stays);
        later.pass();
        assertFalse(stays.isOpen());
        assertEquals(SHARE - 1, refused.get());
    }

    /** Of which nobody has heard for so many milliseconds. */
    private static final class SilentFor extends ByteArrayEndPoint {
        private final long millis;

        SilentFor(long millis) {
            this.millis = millis;
        }

        @Override
        public long getIdleFor() {
            return millis;
        }
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
