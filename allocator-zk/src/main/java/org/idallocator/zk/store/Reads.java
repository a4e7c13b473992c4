package org.idallocator.zk.store;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

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
        return node(path).thenApply(node -> node.map(Store.Node::data));
    }

    /** The same with the node's state. A client's reads are answered in the order in which they were asked. */
    CompletableFuture<Optional<Store.Node>> node(String path) {
        CompletableFuture<Optional<Store.Node>> answer = new CompletableFuture<>();
        try {
            curator.getZookeeperClient()
                    .getZooKeeper()
                    .getData(
                            path,
                            false,
                            (code, name, context, data, stat) -> {
                                if (code == Code.OK.intValue()) {
                                    answer.complete(Optional.of(node(data, stat)));
                                } else if (code == Code.NONODE.intValue()) {
                                    answer.complete(Optional.empty());
                                } else {
                                    answer.completeExceptionally(failed(path, Code.get(code)));
                                }
                            },
                            null);
        } catch (Exception e) {
            answer.completeExceptionally(new StoreException(StoreException.Kind.UNCERTAIN, path + ": " + e, e));
        }
        return answer;
    }

    /** A node as ZooKeeper gave it. */
    static Store.Node node(byte @Nullable [] data, Stat stat) {
        return new Store.Node(
                data == null ? "" : new String(data, StandardCharsets.UTF_8),
                stat.getVersion(),
                stat.getEphemeralOwner(),
                stat.getCversion() > stat.getNumChildren(), // it counts children made and deleted
                stat.getMtime());
    }

    private static StoreException failed(String path, Code code) {
        return new StoreException(
                StoreException.Kind.UNCERTAIN, path + ": " + code, KeeperException.create(code, path));
    }
}
