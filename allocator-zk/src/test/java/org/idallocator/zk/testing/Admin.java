package org.idallocator.zk.testing;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryUntilElapsed;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.operator.OperatorAccess;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;
import org.idallocator.zk.store.CuratorStore;
import org.idallocator.zk.store.ForwardingStore;
import org.idallocator.zk.store.Store;

/**
 * Somebody who changes, through a client of their own, what is not theirs. Waits for a connection for as long as it
 * takes, where programs wait for seconds.
 */
public final class Admin implements AutoCloseable {
    private static final int RETRY_MILLIS = 100;

    private final CuratorFramework curator;

    private Admin(CuratorFramework curator) {
        this.curator = curator;
    }

    public static Admin of(String connect) {
        return of(ZooKeeperSettings.of(connect));
    }

    /** Somebody who has the credentials of these settings. */
    public static Admin of(ZooKeeperSettings settings) {
        CuratorFramework curator = Clients.open(settings);
        curator.getZookeeperClient()
                .setRetryPolicy(new RetryUntilElapsed((int) HangGuard.TIME.toMillis(), RETRY_MILLIS));
        curator.start();
        return new Admin(curator);
    }

    public CuratorFramework curator() {
        return curator;
    }

    /** What an operator's orders work with, on this client; {@code settings} are the client's. */
    public OperatorAccess access(AllocatorSettings settings) {
        try {
            if (!curator.blockUntilConnected((int) HangGuard.TIME.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "no connection to " + settings.zookeeper().connect());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        Store store = CuratorStore.waiting(curator, settings.zookeeper());
        return new OperatorAccess(new PatientStore(store), Clock.system(), settings);
    }

    /** Waits for what has no answer yet as long as a test does. */
    private final class PatientStore extends ForwardingStore {
        PatientStore(Store store) {
            super(store);
        }

        @Override
        public void sync(String path) {
            CompletableFuture<Integer> code = new CompletableFuture<>();
            unchecked(() -> curator.sync()
                    .inBackground((client, event) -> code.complete(event.getResultCode()))
                    .forPath(path));
            int told = unchecked(() -> code.get(HangGuard.MINUTES, TimeUnit.MINUTES));
            if (told != KeeperException.Code.OK.intValue()) {
                throw new IllegalStateException(KeeperException.create(KeeperException.Code.get(told), path));
            }
        }
    }

    public String read(String path) {
        return unchecked(() -> new String(curator.getData().forPath(path), StandardCharsets.UTF_8));
    }

    public void write(String path, String data) {
        unchecked(() -> curator.setData().forPath(path, bytes(data)));
    }

    public void create(String path, String data) {
        unchecked(() -> curator.create().creatingParentsIfNeeded().forPath(path, bytes(data)));
    }

    public void delete(String path) {
        unchecked(() -> curator.delete().deletingChildrenIfNeeded().forPath(path));
    }

    public boolean exists(String path) {
        return unchecked(() -> curator.checkExists().forPath(path) != null);
    }

    /** Deletes a node and makes an EPHEMERAL one of this session in its place, in one transaction. */
    public void replace(String path, String data) {
        unchecked(() -> curator.transaction()
                .forOperations(
                        curator.transactionOp().delete().forPath(path),
                        curator.transactionOp()
                                .create()
                                .withMode(CreateMode.EPHEMERAL)
                                .forPath(path, bytes(data))));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private interface Operation<T> {
        T run() throws Exception;
    }

    private static <T> T unchecked(Operation<T> operation) {
        try {
            return operation.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        curator.close();
    }
}
