package org.idallocator.zk.testing;

import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Clients;

/** Somebody who changes, through a client of their own, what is not theirs. */
public final class Admin implements AutoCloseable {
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
        curator.start();
        return new Admin(curator);
    }

    public CuratorFramework curator() {
        return curator;
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
