package org.idallocator.zk.znode;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The root's identity. A replica that sees another incarnation, or none, fences all that it holds. No tenure of an
 * incarnation issues an ID with an earlier time than {@link #floorAt}.
 *
 * @param version the version that wrote this, see {@link Version}
 * @param incarnation a name that no other incarnation has
 * @param clusterId eightbyte's cluster ID on the replica that made the root, for people; null without that scheme
 * @param floor the earliest that the floor can be, inclusive
 * @param aheadMillis how far the floor is ahead of the time at which this node was written, unless {@code floor} is
 *     later; null when {@code floor} alone counts
 * @param unknown fields of later versions, which whoever begins the next incarnation keeps
 */
public record MetaNode(
        int version,
        String incarnation,
        @Nullable Integer clusterId,
        Instant floor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long aheadMillis,
        @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> unknown) {

    public MetaNode {
        unknown = Version.unknown(unknown);
        Bounds.name("incarnation", incarnation);
        Bounds.time("floor", floor);
        Bounds.ahead("aheadMillis", aheadMillis);
    }

    /**
     * A new incarnation, whose floor is {@code ahead} of the time at which this node is written, and not before
     * {@code least}; {@code kept} are the fields of later versions that the meta before it had.
     */
    public static MetaNode begun(
            @Nullable Integer clusterId, Instant least, Duration ahead, Map<String, JsonNode> kept) {
        return new MetaNode(
                Version.ofAhead(ahead), UUID.randomUUID().toString(), clusterId, least, ahead.toMillis(), kept);
    }

    /** The first incarnation of a root under which nothing was ever issued: its floor is 1970. */
    public static MetaNode first(@Nullable Integer clusterId) {
        return new MetaNode(Version.FIRST, UUID.randomUUID().toString(), clusterId, Instant.EPOCH, null, Map.of());
    }

    /** The floor, inclusive, of a node that ZooKeeper's leader wrote at this time. */
    public Instant floorAt(long leaderMillis) {
        return Floors.of(floor, aheadMillis, leaderMillis);
    }
}
