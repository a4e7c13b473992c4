package org.idallocator.zk.store;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.Admin;
import org.idallocator.zk.testing.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a real ZooKeeper tells of a node that a client follows. */
@Timeout(value = HangGuard.MINUTES, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FollowTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private static Path directory;

    private final List<Long> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger changes = new AtomicInteger();

    private ServerCnxnFactory serve(int port) throws Exception {
        ServerCnxnFactory server =
                ServerCnxnFactory.createFactory(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.startup(new ZooKeeperServer(directory.toFile(), directory.toFile(), 500));
        return server;
    }

    /** Own writes are told by the very number that their answer has, a stranger's by another; and a break is told as a change. */
    @Test
    void shouldTellTransactionsOfAllChanges() throws Exception {
        ServerCnxnFactory server = serve(Ports.free(1).get(0)); // for it comes back on the same port
        ZooKeeperSettings settings = ZooKeeperSettings.of("127.0.0.1:" + server.getLocalPort());
        try (CuratorFramework client = Clients.open(settings);
                Admin stranger = Admin.of(settings.connect())) {
            client.start();
            assertTrue(client.blockUntilConnected((int) HangGuard.TIME.toSeconds(), TimeUnit.SECONDS));
            Store store = CuratorStore.impatient(client, settings, Clock.system(), changes::incrementAndGet);
            store.ensure("/followed");
            long made = store.read("/followed").orElseThrow().transaction();
            store.follow("/followed", transaction -> {
                told.add(transaction);
                return transaction % 2 == 0;
            });

            long first = write(store);
            long second = write(store);
            assertTrue(made < first && first < second);
            assertEquals(second, store.read("/followed").orElseThrow().transaction());
            stranger.write("/followed", "theirs");
            await().until(() -> told.size() == 3);
            assertEquals(List.of(first, second), told.subList(0, 2));
            assertTrue(told.get(2) > second);
            long news = told.stream().filter(each -> each % 2 == 0).count();
            await().until(() -> changes.get() >= news); // told before it is counted
            assertEquals(news, changes.get());

            int port = server.getLocalPort();
            server.shutdown();
            await().until(() -> !client.getZookeeperClient().isConnected());
            int before = changes.get();
            server = serve(port);
            await().until(() -> changes.get() > before);
            await().until(() -> client.getZookeeperClient().isConnected());
            assertEquals(
                    "theirs", store.read("/followed").orElseThrow().data()); // it follows again when that is answered
            stranger.write("/followed", "theirs again");
            await().until(() -> told.size() == 4);

            store.unfollow("/followed");
            store.sync("/followed"); // it waits for nothing
            stranger.write("/followed", "and again");
            store.sync("/followed"); // is answered after all news of before
            assertEquals(4, told.size());
        } finally {
            server.shutdown();
        }
    }

    private static long write(Store store) {
        return store.multi(List.of(new Store.Op.Write("/followed", "ours", -1)))
                .get(0)
                .transaction();
    }
}
