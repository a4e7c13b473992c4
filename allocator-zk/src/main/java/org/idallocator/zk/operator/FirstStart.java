package org.idallocator.zk.operator;

import java.util.List;
import java.util.OptionalInt;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.store.Connection;
import org.idallocator.zk.znode.MetaNode;
import org.idallocator.zk.znode.Znodes;

/**
 * Makes a root, and the layouts of its pools, for replicas that are to serve at once. Without this, the first replica
 * makes them, and serves some 16 seconds later (with the defaults). The first replica cannot tell a new root from a
 * lost root, and replicas of a lost root may still run somewhere. Whoever calls this promises that <b>no replica of
 * this root runs anywhere, and that none has issued IDs with times that the clock has yet to pass</b>. Where the
 * promise is wrong, IDs may be equal.
 */
public final class FirstStart {
    private FirstStart() {}

    /**
     * Makes the root where it does not exist, or is empty and its data tells of no earlier incarnation. Else does
     * nothing. All is made in one transaction, so that whoever dies amid this may do it again.
     *
     * @return whether the root was made
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written
     */
    public static boolean withoutWaiting(AllocatorSettings settings) {
        // Nobody waits for the end: ZooKeeper's client then sleeps for a tenth of a second.
        return OperatorAccess.run(settings, FirstStart::withoutWaiting, Connection::closeWithoutWaiting);
    }

    /** The same, on an open store. */
    static boolean withoutWaiting(OperatorAccess access) {
        Znodes nodes = access.nodes();
        AllocatorSettings settings = access.settings();
        OptionalInt clusterId = settings.clusterId();
        List<SlotPool> pools = settings.schemes().stream()
                .flatMap(scheme -> scheme.pool().stream())
                .toList();
        return Incarnations.beginFirst(
                nodes,
                MetaNode.first(clusterId.isPresent() ? clusterId.getAsInt() : null),
                access.generations().creation(pools));
    }
}
