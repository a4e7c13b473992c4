package org.idallocator.zk.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.core.clock.Clock;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** A short-lived connection for one command. */
public record Connection(CuratorFramework curator, Store store) implements AutoCloseable {
    /** How long a connection takes at most where nothing is wrong. */
    private static final Duration USUAL = Duration.ofSeconds(2);

    /**
     * Waits for ZooKeeper for at most {@code patience}, or until a {@link TlsProbe} has ended; throws {@link StoreException} when it
     * does not answer, and at once when the client cannot log in as it should.
     */
    public static Connection open(ZooKeeperSettings settings, Duration patience) {
        Clock clock = Clock.system();
        new Refusal(settings, clock).requireLogin();
        long begunNanos = clock.nanos();
        CuratorFramework curator = Clients.open(settings);
        curator.start();
        Duration usual = patience.compareTo(USUAL) < 0 ? patience : USUAL;
        if (connected(curator, usual)) {
            return new Connection(curator, CuratorStore.patient(curator, settings));
        }
        Optional<String> trouble = new TlsProbe(settings).trouble();
        Duration left = patience.minusNanos(clock.nanos() - begunNanos);
        if (trouble.isEmpty() && !left.isNegative() && connected(curator, left)) {
            return new Connection(curator, CuratorStore.patient(curator, settings));
        }
        abandon(curator);
        long seconds = Math.round((clock.nanos() - begunNanos) / 1e9);
        throw NoConnection.exception(trouble, "no answer from " + settings.connect() + " within " + seconds + " s");
    }

    /** A client that is about to connect closes when it has given that up, which nobody waits for. */
    private static void abandon(CuratorFramework curator) {
        Thread closing = new Thread(curator::close, "zookeeper-closing");
        closing.setDaemon(true); // it must not keep a command from ending
        closing.start();
    }

    private static boolean connected(CuratorFramework curator, Duration patience) {
        try {
            return curator.blockUntilConnected((int) patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            curator.close();
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.UNCERTAIN, "interrupted while connecting to ZooKeeper", e);
        }
    }

    @Override
    public void close() {
        curator.close();
    }
}
