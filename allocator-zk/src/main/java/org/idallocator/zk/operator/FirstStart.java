package org.idallocator.zk.operator;

import java.util.OptionalInt;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.LayoutNode;
import org.idallocator.zk.node.MetaNode;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * Makes a root, and the layouts of its pools, for replicas that are to serve at once. Without this, the first replica makes
 * them, and serves some 16 seconds later (with the defaults). It cannot tell a new root from one that ZooKeeper has lost, whose
 * replicas may still run somewhere. Whoever calls this promises that <b>no replica of this root runs anywhere, and that none
 * has issued IDs with times that the clock has yet to pass</b>. Where the promise is wrong, IDs may be equal.
 */
public final class FirstStart {
    private FirstStart() {}

    /**
     * Makes the root where it does not exist, or is empty and its data tells of no earlier incarnation. Else does nothing.
     *
     * @return whether the root was made
     * @throws UnreachableException when ZooKeeper does not answer, or does not accept what is written
     */
    public static boolean withoutWaiting(AllocatorSettings settings) {
        return OperatorAccess.connected(settings, FirstStart::withoutWaiting);
    }

    /** The same, on an open store. */
    static boolean withoutWaiting(OperatorAccess access) {
        Nodes nodes = access.nodes();
        AllocatorSettings settings = access.settings();
        OptionalInt clusterId = settings.clusterId();
        if (!Root.beginFirst(nodes, MetaNode.first(clusterId.isPresent() ? clusterId.getAsInt() : null))) {
            return false;
        }
        Root.Seen meta = Root.present(nodes);
        Layouts layouts = access.layouts();
        settings.schemes().stream()
                .flatMap(scheme -> scheme.pool().stream())
                .forEach(pool -> layouts.begin(pool, LayoutNode.first(pool, settings.terms()), false, meta));
        return true;
    }
}
