package org.idallocator.service.console;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.idallocator.service.api.Visibility;
import org.idallocator.zk.operator.PoolView;
import org.jspecify.annotations.Nullable;

/**
 * What the console shows.
 *
 * @param at when this was read, by the replica's clock
 * @param leaving whether it serves the last callers before a drain
 * @param ready whether load balancers should send requests to the replica
 * @param replica who answers
 * @param application where the application port is, on the admin port; left out on the application port itself
 * @param schemes the schemes that are served
 * @param busy how many requests of the application port were refused as busy since the start, by the limit that refused them; null
 *     where nothing is drawn over HTTP
 * @param cluster what ZooKeeper showed
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
record ConsoleState(
        Instant at,
        boolean leaving,
        boolean ready,
        Self replica,
        Optional<ApplicationPort> application,
        List<OfScheme> schemes,
        @JsonInclude @Nullable Map<String, Long> busy,
        Cluster cluster) {

    /**
     * The replica that answers.
     *
     * @param pid its process ID, for operators; left out for others
     * @param windowMillis how far ahead it reserves time
     * @param sessionMillis after how long ZooKeeper drops its leases when it is silent
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Self(
            @JsonView(Visibility.Operators.class) String instance,
            @JsonView(Visibility.Operators.class) String host,
            @Nullable Long pid,
            long windowMillis,
            long sessionMillis) {}

    /**
     * A scheme on this replica.
     *
     * @param leased whether it needs slots
     * @param state {@code active} or {@code fenced}
     * @param reason the code of the reason why it is fenced
     * @param detail the reason in words
     * @param least how many slots there are to be at least
     * @param most how many there may be at most
     * @param serving how many slots serve
     * @param lacking why fewer serve than there are to be at least, in words
     * @param held the slots that this replica holds
     * @param issued how many IDs were drawn over HTTP since the start; null where nothing is drawn over HTTP
     * @param refused how many draws over HTTP failed since the start, by reason; null as well
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record OfScheme(
            String name,
            boolean leased,
            String state,
            Optional<String> reason,
            Optional<String> detail,
            Optional<Integer> least,
            Optional<Integer> most,
            Optional<Integer> serving,
            Optional<String> lacking,
            List<Held> held,
            @JsonInclude @Nullable Long issued,
            @JsonInclude @Nullable Map<String, Long> refused) {}

    /**
     * A slot that this replica holds.
     *
     * @param since when it was claimed
     * @param reservedThrough the end of what is reserved
     * @param timeLeftMillis how long until then
     * @param deadlineMillis how long until the deadline, before which a renewal must be confirmed
     */
    record Held(String slot, Instant since, Instant reservedThrough, long timeLeftMillis, long deadlineMillis) {}

    /**
     * What ZooKeeper showed of pools and replicas.
     *
     * @param look names this look; a browser that names it in {@code seen} is not sent pools and replicas again. Left out before the
     *     first look
     * @param ageMillis how long ago that was
     * @param failure why there is nothing newer, with the reason for operators alone; left out when ZooKeeper answered the
     *     latest question
     * @param pools the pools; left out where the browser has them
     * @param replicas the replicas whose sessions live; left out where the browser has them
     */
    @JsonInclude(JsonInclude.Include.NON_ABSENT)
    record Cluster(
            Optional<String> look,
            Optional<Long> ageMillis,
            Optional<String> failure,
            Optional<List<Pool>> pools,
            Optional<List<Replica>> replicas) {}

    /**
     * A pool.
     *
     * @param whole whether {@code slots} has each of its slots; else those that are not free, as far as there is room
     * @param left how many slots that are not free there was no room for
     */
    record Pool(PoolView.Counts counts, boolean whole, List<SlotEntry> slots, long left) {}

    /**
     * A slot of a pool. Sessions are nobody's business here.
     *
     * @param state as operators know it: {@code held}, {@code free}, {@code cooling}, {@code retired} or {@code unreadable}
     * @param here whether the replica that answers holds it
     * @param instance the holder's name
     * @param host where the holder runs
     * @param since when the holder claimed it
     * @param freeAt when a slot that cools is free
     * @param nonce names the tenure, for who releases it; for operators
     * @param unreadable why nothing more can be said
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record SlotEntry(
            String slot,
            String state,
            @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean here,
            @JsonView(Visibility.Operators.class) @Nullable String instance,
            @JsonView(Visibility.Operators.class) @Nullable String host,
            @Nullable Instant since,
            @Nullable Instant freeAt,
            @Nullable String nonce,
            @Nullable String unreadable) {

        /** A slot that nobody has ever used. */
        static SlotEntry unused(String slot) {
            return new SlotEntry(slot, "free", false, null, null, null, null, null, null);
        }
    }

    /**
     * A replica.
     *
     * @param here whether it is the one that answers
     * @param pid its process ID, for operators
     * @param slots the slots that it holds, by scheme
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Replica(
            @JsonView(Visibility.Operators.class) String instance,
            boolean here,
            @JsonView(Visibility.Operators.class) @Nullable String host,
            @Nullable Long pid,
            @JsonView(Visibility.Operators.class) @Nullable String url,
            @Nullable Instant since,
            @Nullable String version,
            @Nullable Long clockOffsetMillis,
            Map<String, List<String>> slots,
            @Nullable String unreadable) {}
}
