package org.idallocator.zk.store;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.slf4j.event.Level;

/** A short-lived connection for one command. */
public final class Connection implements AutoCloseable {
    /** How long a connection takes at most where nothing is wrong: for so long, no connection is no trouble. */
    public static final Duration USUAL = Duration.ofSeconds(2);

    private final CuratorFramework curator;
    private final Store store;

    /** {@code curator} is connected, and closed with this. */
    private Connection(CuratorFramework curator, Store store) {
        this.curator = curator;
        this.store = store;
    }

    /**
     * Waits for ZooKeeper for at most {@code patience}, or until a {@link TlsProbe} has ended; throws
     * {@link StoreException} when it does not answer, and at once when the client cannot log in as it should.
     */
    public static Connection open(ZooKeeperSettings settings, Duration patience) {
        Clock clock = Clock.system();
        ClientTrouble trouble = new ClientTrouble(settings, clock, Level.DEBUG);
        trouble.requireLogin();
        long begunNanos = clock.nanos();
        CuratorFramework curator = Clients.open(settings);
        curator.start();
        Optional<String> tls = awaitConnected(curator, Collections.min(List.of(patience, USUAL)))
                ? Optional.empty()
                : trouble.probeTls();
        if (tls.isEmpty() && awaitConnected(curator, patience.minusNanos(clock.nanos() - begunNanos))) {
            return new Connection(curator, CuratorStore.waiting(curator, settings));
        }
        var unused = Clients.closeInBackground(
                curator); // when the client has given up on its connection, which nobody waits for
        long seconds = Math.round((clock.nanos() - begunNanos) / 1e9);
        String told = "no answer from " + settings.connect() + " within " + seconds + " s";
        throw ClientTrouble.notConnected(trouble.findUnresolved(), tls, told);
    }

    private static boolean awaitConnected(CuratorFramework curator, Duration patience) {
        try {
            return curator.blockUntilConnected((int) patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            curator.close();
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.NO_ANSWER, "interrupted while connecting to ZooKeeper", e);
        }
    }

    /** Where a command reads and writes. */
    public Store store() {
        return store;
    }

    /** Closes this in the background: the call returns at once. */
    public void closeWithoutWaiting() {
        var unused = Clients.closeInBackground(curator);
    }

    @Override
    public void close() {
        curator.close();
    }
}
