package org.idallocator.zk.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;

/** Reads nodes on a started Curator client without waiting for ZooKeeper. Thread-safe. */
public final class Reads {
    private final CuratorFramework curator;

    public Reads(CuratorFramework curator) {
        this.curator = curator;
    }

    /** Whether there is a connection, as far as the client knows. */
    public boolean connected() {
        return curator.getZookeeperClient().isConnected();
    }

    /**
     * What a node holds; empty when there is none. Returns at once. The future ends with an answer, or with a {@link
     * StoreException} at the latest when the client gives up on the connection, within a session timeout.
     */
    public CompletableFuture<Optional<String>> read(String path) {
        CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
        try {
            curator.getZookeeperClient()
                    .getZooKeeper()
                    .getData(
                            path,
                            false,
                            (code, name, context, data, stat) -> complete(answer, path, Code.get(code), data),
                            null);
        } catch (Exception e) {
            answer.completeExceptionally(new StoreException(StoreException.Kind.UNCERTAIN, path + ": " + e, e));
        }
        return answer;
    }

    private static void complete(CompletableFuture<Optional<String>> answer, String path, Code code, byte[] data) {
        if (code == Code.OK) {
            answer.complete(Optional.of(new String(data, StandardCharsets.UTF_8)));
        } else if (code == Code.NONODE) {
            answer.complete(Optional.empty());
        } else {
            answer.completeExceptionally(new StoreException(
                    StoreException.Kind.UNCERTAIN, path + ": " + code, KeeperException.create(code, path)));
        }
    }
}
