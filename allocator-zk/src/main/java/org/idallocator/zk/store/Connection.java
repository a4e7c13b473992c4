package org.idallocator.zk.store;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** A short-lived connection for one command. */
public record Connection(CuratorFramework curator, Store store) implements AutoCloseable {
    /** How long a connection takes at most where nothing is wrong. */
    private static final Duration USUAL = Duration.ofSeconds(2);

    /** Waits for ZooKeeper for at most {@code patience}; throws {@link StoreException} when it does not answer. */
    public static Connection open(ZooKeeperSettings settings, Duration patience) {
        CuratorFramework curator = Clients.open(settings);
        curator.start();
        Duration usual = patience.compareTo(USUAL) < 0 ? patience : USUAL;
        if (connected(curator, usual)) {
            return new Connection(curator, CuratorStore.patient(curator, settings));
        }
        Optional<String> trouble = new TlsProbe(settings).trouble();
        if (trouble.isEmpty() && connected(curator, patience.minus(usual))) {
            return new Connection(curator, CuratorStore.patient(curator, settings));
        }
        curator.close();
        throw NoConnection.exception(
                trouble, "no answer from " + settings.connect() + " within " + patience.toSeconds() + " s");
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
