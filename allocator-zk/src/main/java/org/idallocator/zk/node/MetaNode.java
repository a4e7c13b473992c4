package org.idallocator.zk.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The root's identity. A replica that sees another incarnation, or none, fences all it holds. No tenure of an incarnation issues
 * an ID with an earlier time than {@link #floorAt}.
 *
 * @param version of this shape, {@link #VERSION}
 * @param incarnation a name that no other incarnation has
 * @param clusterId the eight-byte cluster ID of the replica that made the root, for people; null without that scheme
 * @param floor the floor at least, inclusive
 * @param aheadMillis how far the floor is ahead of the moment at which this was written; null when {@code floor} is all
 */
public record MetaNode(
        int version,
        String incarnation,
        @Nullable Integer clusterId,
        Instant floor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long aheadMillis) {
    public static final int VERSION = 1;

    public MetaNode {
        Objects.requireNonNull(incarnation);
        Objects.requireNonNull(floor);
    }

    /** Begins an incarnation whose floor is {@code ahead} of the moment at which it is written, and not below {@code least}. */
    public static MetaNode begun(@Nullable Integer clusterId, Instant least, Duration ahead) {
        return new MetaNode(VERSION, UUID.randomUUID().toString(), clusterId, least, ahead.toMillis());
    }

    /** Begins an incarnation below which nothing was ever issued. */
    public static MetaNode first(@Nullable Integer clusterId) {
        return new MetaNode(VERSION, UUID.randomUUID().toString(), clusterId, Instant.EPOCH, null);
    }

    /** The floor of what was written at this time of ZooKeeper's leader. */
    public Instant floorAt(long leaderMillis) {
        return Floors.of(floor, aheadMillis, leaderMillis);
    }
}
