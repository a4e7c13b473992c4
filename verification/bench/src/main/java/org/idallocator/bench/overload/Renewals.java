package org.idallocator.bench.overload;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZKUtil;
import org.idallocator.bench.process.Ensemble;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;

/**
 * How long the records of a replica's slots stay as they are: each renewal writes them. ZooKeeper tells each write, so
 * a replica that does not come to renew shows here, whatever it says of itself. From {@link #watch} until closed.
 */
final class Renewals implements AutoCloseable {
    private static final String RECORDS = "/records/";
    private static final double MILLI_NANOS = 1e6;

    private final CuratorFramework client;
    private final Map<String, Long> writtenNanos = new ConcurrentHashMap<>();
    private final AtomicLong longestNanos = new AtomicLong();

    private Renewals(CuratorFramework client) {
        this.client = client;
    }

    static Renewals watch(Ensemble ensemble) {
        ZooKeeperSettings settings = ZooKeeperSettings.of(ensemble.connect());
        Renewals renewals = new Renewals(Clients.open(settings));
        try {
            renewals.client.start();
            renewals.begin(settings.root());
            return renewals;
        } catch (Exception e) { // as Curator declares it
            renewals.close();
            throw new IllegalStateException("the records cannot be watched", e);
        }
    }

    /** A record that is never written counts from here. */
    private void begin(String root) throws Exception {
        ZKUtil.listSubTreeBFS(client.getZookeeperClient().getZooKeeper(), root).stream()
                .filter(path -> path.contains(RECORDS))
                .forEach(path -> writtenNanos.put(path, System.nanoTime()));
        client.watchers()
                .add()
                .withMode(AddWatchMode.PERSISTENT_RECURSIVE)
                .usingWatcher((Watcher) this::heard)
                .forPath(root);
    }

    private void heard(WatchedEvent event) {
        if (event.getType() == Watcher.Event.EventType.NodeDataChanged
                && event.getPath().contains(RECORDS)) {
            long nowNanos = System.nanoTime();
            Long beforeNanos = writtenNanos.put(event.getPath(), nowNanos);
            if (beforeNanos != null) {
                longestNanos.accumulateAndGet(nowNanos - beforeNanos, Math::max);
            }
        }
    }

    /** The longest time for which a record stayed as it was, up to now. */
    double longestMillis() {
        long oldestNanos = writtenNanos.values().stream().min(Long::compare).orElseThrow();
        return Math.max(longestNanos.get(), System.nanoTime() - oldestNanos) / MILLI_NANOS;
    }

    @Override
    public void close() {
        Clients.close(client);
    }
}
