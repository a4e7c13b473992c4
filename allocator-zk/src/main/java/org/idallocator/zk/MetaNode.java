package org.idallocator.zk;

import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The root's identity. A replica that sees another incarnation, or none, fences all it holds.
 *
 * @param version of this shape, {@link #VERSION}
 * @param incarnation changes when an operator declares that ZooKeeper may have lost what it acknowledged
 * @param clusterId the eight-byte cluster ID of the replica that made the root, for people; null without that scheme
 * @param floor no tenure issues IDs with an earlier time, exclusive of nothing: the first tick that starts at or after it
 */
record MetaNode(int version, String incarnation, @Nullable Integer clusterId, Instant floor) {
    static final int VERSION = 1;

    MetaNode {
        Objects.requireNonNull(incarnation);
        Objects.requireNonNull(floor);
    }

    static MetaNode first(@Nullable Integer clusterId) {
        return new MetaNode(VERSION, UUID.randomUUID().toString(), clusterId, Instant.EPOCH);
    }
}
