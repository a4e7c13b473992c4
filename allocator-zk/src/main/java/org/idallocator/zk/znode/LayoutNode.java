package org.idallocator.zk.znode;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.Terms;
import org.jspecify.annotations.Nullable;

/**
 * What all replicas must agree on to share a pool: how the pool is cut into slots, and the {@link Terms} by which they
 * reserve. A change of either begins a new generation of the pool. A slot's number may then mean other IDs, of which
 * the slot's record knows nothing. No tenure of a generation issues an ID with an earlier time than {@link #floorAt}.
 *
 * @param version the version that wrote this, see {@link Version}
 * @param generation a name that no other generation has; it begins with a digest of layout and terms, so that a node
 *     that was edited does not fit its name
 * @param floor the earliest that the floor can be, inclusive
 * @param aheadMillis how far the floor is ahead of the time at which this node was written, unless {@code floor} is
 *     later; null when {@code floor} alone counts
 * @param layout the pool's {@link SlotPool#layout}
 * @param unknown fields of later versions, which whoever begins the next generation keeps
 */
public record LayoutNode(
        int version,
        String generation,
        Instant floor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long aheadMillis,
        JsonNode layout,
        long windowMillis,
        long sessionTimeoutMillis,
        long maxClockSkewMillis,
        @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> unknown) {
    private static final int DIGEST_DIGITS = 16;

    public LayoutNode {
        unknown = Version.unknown(unknown);
        Bounds.present("layout", layout);
        Bounds.name("generation", generation);
        Bounds.time("floor", floor);
        Bounds.ahead("aheadMillis", aheadMillis);
        Bounds.ahead("windowMillis", windowMillis);
        Bounds.ahead("sessionTimeoutMillis", sessionTimeoutMillis);
        Bounds.ahead("maxClockSkewMillis", maxClockSkewMillis);
    }

    /**
     * A new generation, whose floor is {@code ahead} of the time at which this node is written, if that counts, and not
     * before {@code least}; {@code kept} are the fields of later versions that the layout before it had.
     */
    public static LayoutNode begun(
            SlotPool pool, Terms terms, Instant least, @Nullable Duration ahead, Map<String, JsonNode> kept) {
        JsonNode layout = Json.tree(pool.layout());
        boolean longWindow = terms.window().compareTo(Terms.LONGEST_UNDECLARED_WINDOW) > 0;
        return new LayoutNode(
                longWindow
                        ? Version.OF_CONTACTS
                        : Version.ofAhead(ahead), // earlier software would count too little of it
                digest(layout, terms) + "-" + UUID.randomUUID(),
                least,
                ahead == null ? null : ahead.toMillis(),
                layout,
                terms.window().toMillis(),
                terms.sessionTimeout().toMillis(),
                terms.maxClockSkew().toMillis(),
                kept);
    }

    /** The first generation of a pool from which nothing was ever issued: its floor is 1970. */
    public static LayoutNode first(SlotPool pool, Terms terms) {
        return begun(pool, terms, Instant.EPOCH, null, Map.of());
    }

    /** Whether layout and terms are those with which the generation began: nobody has edited them. */
    public boolean fitsItsName() {
        return generation.startsWith(digest(layout, terms()) + "-");
    }

    private static String digest(JsonNode layout, Terms terms) {
        String agreed = Json.write(layout)
                + terms.byKey().values().stream()
                        .map(term -> " " + term.toMillis())
                        .collect(Collectors.joining());
        String hash =
                Hashing.sha256().hashString(agreed, StandardCharsets.UTF_8).toString();
        return hash.substring(0, DIGEST_DIGITS);
    }

    /** The terms by which the generation's replicas reserve. */
    public Terms terms() {
        return new Terms(
                Duration.ofMillis(windowMillis),
                Duration.ofMillis(sessionTimeoutMillis),
                Duration.ofMillis(maxClockSkewMillis));
    }

    /** The floor, inclusive, of a node that ZooKeeper's leader wrote at this time. */
    public Instant floorAt(long leaderMillis) {
        return Floors.of(floor, aheadMillis, leaderMillis);
    }

    /** Everything that differs from what is configured, with both values, for people; empty when all agrees. */
    public Optional<String> differences(SlotPool pool, Terms configured) {
        Map<String, Object> ours = agreed(Json.tree(pool.layout()), configured);
        String all = agreed(layout, terms()).entrySet().stream()
                .filter(theirs -> !theirs.getValue().equals(ours.get(theirs.getKey())))
                .map(theirs ->
                        theirs.getKey() + " is " + theirs.getValue() + ", configured is " + ours.get(theirs.getKey()))
                .collect(Collectors.joining("; "));
        return Optional.of(all).filter(differences -> !differences.isEmpty());
    }

    private static Map<String, Object> agreed(JsonNode layout, Terms terms) {
        Map<String, Object> agreed = new LinkedHashMap<>();
        agreed.put("it", layout);
        terms.byKey().forEach((key, term) -> agreed.put(key, term.toMillis() + " ms"));
        return agreed;
    }
}
