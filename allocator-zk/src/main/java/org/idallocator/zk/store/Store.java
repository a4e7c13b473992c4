package org.idallocator.zk.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.idallocator.zk.epoch.Parents;
import org.slf4j.LoggerFactory;

/**
 * The few operations of ZooKeeper that leases need. A write that throws {@code UNCERTAIN} may have happened, and one that
 * throws {@code CONFLICT} may have happened in an earlier attempt of the same call: both are resolved by {@link #sync} and
 * reading back, never by believing the exception.
 *
 * <p>All calls block for a bounded time and throw {@link StoreException}.
 */
public interface Store {

    /** The session that operations run on now; throws {@code UNCERTAIN} without a connection. */
    long session();

    /** The negotiated session timeout of that session. */
    Duration sessionTimeout();

    /** A node, or nothing. It may be older than what others have seen, unless {@link #sync} went before. */
    Optional<Node> read(String path);

    /** The names of a node's children; none when there is no such node. */
    List<String> children(String path);

    /** Makes sure that a PERSISTENT node and its parents exist; what they hold stays. For the root: see {@link Parents}. */
    void ensure(String path);

    /** All of it or nothing; what each {@link Op.Write} wrote, in order. */
    List<Written> multi(List<Op> ops);

    /**
     * As {@link #multi}, where a conflict is an answer like any: false when a condition did not hold. Then somebody else was
     * faster, or the write was made, its answer lost, and the client's own repetition of it was refused.
     */
    default boolean attempt(List<Op> ops) {
        try {
            var unused = multi(ops);
            return true;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.CONFLICT) {
                throw e;
            }
            LoggerFactory.getLogger(Store.class).debug("a condition did not hold", e);
            return false;
        }
    }

    /** Makes an EPHEMERAL_SEQUENTIAL child and returns its number. */
    long nextIndex(String parent);

    /** Lets later reads see all that was written before. */
    void sync(String path);

    /** Asks for a call to the store's listener when one of these nodes is made, changed or deleted. */
    void watch(List<String> paths);

    /**
     * A node's payload and state.
     *
     * @param version of the data; a node that is deleted and made again starts at 0 again
     * @param owner the session of an EPHEMERAL node, else 0
     * @param childrenDeleted whether it ever had a child that was deleted, also one that was made again
     * @param leaderMillis when the data was last written, by the wall clock of ZooKeeper's leader at that transaction
     */
    record Node(String data, int version, long owner, boolean childrenDeleted, long leaderMillis) {}

    /** What a write left behind: the node's version and the ZooKeeper leader's wall clock. */
    record Written(int version, long leaderMillis) {}

    /** One step of a {@link #multi}. */
    sealed interface Op {
        String path();

        /** The node exists and its data has this version (-1: any). A node that was deleted and made again may have it, too. */
        record Check(String path, int version) implements Op {}

        /** The node did not exist and does now. */
        record Create(String path, String data, boolean ephemeral) implements Op {}

        /** The node's data had this version and is now this. */
        record Write(String path, String data, int version) implements Op {}

        /** The node's data had this version (-1: any) and the node is gone. */
        record Delete(String path, int version) implements Op {}
    }
}
