package org.idallocator.bench.fleet;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.idallocator.bench.Figures;
import org.idallocator.bench.Together;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;

/**
 * What no fleet falls below: clients that connect all at once, and then each write as often as a replica does before its first
 * ID, one write after the other.
 */
final class BareSessions {
    private static final int WRITES = 2; // a replica announces itself, and claims a slot
    private static final double NANOS = 1e6;

    private BareSessions() {}

    /** How many milliseconds each of so many clients took from its start to the answer to its last write. */
    static Figures millis(Ensemble ensemble, int size) {
        ZooKeeperSettings settings = ZooKeeperSettings.of(ensemble.connect());
        List<CuratorFramework> clients =
                Stream.generate(() -> Clients.open(settings)).limit(size).toList();
        CyclicBarrier together = new CyclicBarrier(size);
        try {
            return new Figures(Together.all(clients.stream()
                    .map(client -> (Callable<Double>) () -> {
                        together.await();
                        return millis(client);
                    })
                    .toList()));
        } finally {
            var unused = Together.all(clients.stream()
                    .map(client -> (Callable<Boolean>) () -> {
                        Clients.close(client);
                        return true;
                    })
                    .toList());
        }
    }

    private static double millis(CuratorFramework client) throws Exception {
        long fromNanos = System.nanoTime();
        client.start();
        client.blockUntilConnected();
        for (int i = 0; i < WRITES; i++) {
            var unused =
                    client.create().withMode(CreateMode.EPHEMERAL_SEQUENTIAL).forPath("/bare-");
        }
        return (System.nanoTime() - fromNanos) / NANOS;
    }
}
