package org.idallocator.zk.operator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Store.Op;
import org.idallocator.zk.store.StoreException;

/**
 * What an embedded ZooKeeper says of itself, in the node {@code /id-allocator-embedded}, outside of every allocator's root and
 * of every chroot. An ensemble has no such node. Everybody may read the node, whatever credentials a configuration has.
 *
 * @param version of this payload, 1
 * @param identity the lasting random name of the directory with the data; no two directories have the same
 * @param host the machine on which the ZooKeeper runs, and which alone reaches it
 * @param directory the directory as the process named it that wrote the node
 */
public record EmbeddedMark(int version, String identity, String host, String directory) {
    private static final String PATH = "/id-allocator-embedded";
    private static final int VERSION = 1;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    public EmbeddedMark(String identity, String host, String directory) {
        this(VERSION, identity, host, directory);
    }

    /**
     * The mark of a ZooKeeper, read with the given credentials, without which some ensembles answer nobody; empty when that is no
     * embedded one.
     *
     * @throws UnreachableException when ZooKeeper does not answer within 5 s
     */
    public static Optional<EmbeddedMark> read(ZooKeeperSettings zookeeper) {
        try (Connection connection = openWithoutChroot(zookeeper)) {
            return connection.store().read(PATH).flatMap(node -> Json.readable(PATH, node.data(), EmbeddedMark.class));
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    /**
     * Writes this mark into the ZooKeeper that it tells of, in place of an older one.
     *
     * @throws UnreachableException when ZooKeeper does not answer within 5 s, or does not accept what is written
     */
    public void write(ZooKeeperSettings zookeeper) {
        try (Connection connection = openWithoutChroot(zookeeper.withAuth(List.of()))) {
            Store store = connection.store();
            String data = Json.write(this);
            Op op = store.read(PATH)
                    .<Op>map(before -> new Op.Write(PATH, data, before.version()))
                    .orElseGet(() -> new Op.Create(PATH, data, false));
            boolean written = store.attempt(List.of(op));
            if (!written && !store.read(PATH).map(Store.Node::data).equals(Optional.of(data))) {
                throw new StoreException(
                        StoreException.Kind.CONFLICT, PATH + " was written by somebody else meanwhile");
            }
        } catch (StoreException e) {
            throw new UnreachableException(e);
        }
    }

    private static Connection openWithoutChroot(ZooKeeperSettings zookeeper) {
        String hosts = zookeeper.connect().replaceFirst("/.*", "");
        return Connection.open(zookeeper.withConnect(hosts), PATIENCE);
    }
}
