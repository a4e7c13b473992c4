package org.idallocator.zk.era;

import java.time.Instant;
import org.idallocator.zk.znode.LayoutNode;
import org.idallocator.zk.znode.Znodes;

/**
 * The generation of a pool, as its layout node was read.
 *
 * @param version the version of the node's data
 * @param leaderMillis when the node was written, by the clock of ZooKeeper's leader
 */
public record Generation(LayoutNode node, int version, long leaderMillis) {

    /** What was read of a layout, which must be readable. */
    public static Generation of(Znodes.Found<LayoutNode> found) {
        return new Generation(found.get(), found.version(), found.node().leaderMillis());
    }

    /** The floor of all tenures under this layout, inclusive. */
    public Instant floor() {
        return node.floorAt(leaderMillis);
    }
}
