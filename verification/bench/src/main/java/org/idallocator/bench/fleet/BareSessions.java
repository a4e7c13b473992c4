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
 * What no fleet falls below: clients that connect all together, and then each read and write what a replica cannot do
 * without before its first ID, one after the other.
 */
final class BareSessions {
    private static final int READS = 3; // a replica cannot do without the root's data, its pool's and those of the slot
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
            clients.parallelStream().forEach(Clients::close);
        }
    }

    private static double millis(CuratorFramework client) throws Exception {
        long fromNanos = System.nanoTime();
        client.start();
        client.blockUntilConnected();
        for (int i = 0; i < READS; i++) {
            var data = client.getData().forPath("/zookeeper");
        }
        create(client, "/bare/members/m");
        var others = client.getChildren().forPath("/bare/members"); // as many as there are slots that are held
        create(client, "/bare/leases/l");
        return (System.nanoTime() - fromNanos) / NANOS;
    }

    private static void create(CuratorFramework client, String path) throws Exception {
        var made = client.create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL_SEQUENTIAL)
                .forPath(path);
    }
}
