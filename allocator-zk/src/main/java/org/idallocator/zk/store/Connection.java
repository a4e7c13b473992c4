package org.idallocator.zk.store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.idallocator.zk.settings.ZooKeeperSettings;

/** A short-lived connection for one command. */
public record Connection(CuratorFramework curator, Store store) implements AutoCloseable {

    /** Waits for ZooKeeper for at most {@code patience}; throws {@link StoreException} when it does not answer. */
    public static Connection open(ZooKeeperSettings settings, Duration patience) {
        CuratorFramework curator = Clients.open(settings);
        curator.start();
        try {
            if (curator.blockUntilConnected((int) patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return new Connection(curator, CuratorStore.patient(curator));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        curator.close();
        throw new StoreException(
                StoreException.Kind.UNCERTAIN,
                "no answer from " + settings.connect() + " within " + patience.toSeconds() + " s");
    }

    @Override
    public void close() {
        curator.close();
    }
}
