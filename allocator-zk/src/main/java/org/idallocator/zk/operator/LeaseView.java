package org.idallocator.zk.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import org.idallocator.zk.znode.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot as ZooKeeper shows it. Everything about who holds the slot is in {@code lease}; the rest says only how the
 * slot is.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param state the slot's state
 * @param since when the holder claimed the slot, by the holder's clock; null when nobody holds it
 * @param reservedThrough the end of the last tick reserved by any tenure so far; null when there never was one
 * @param timeLeftMillis how long until {@code reservedThrough} of a held slot, or {@code freeAt} of a cooling slot, by
 *     ZooKeeper's clock where its time is known; 0 when past; null in other states
 * @param freeAt when a slot that cools is free; null in other states
 * @param lease who holds it: what the lease node says; null when nobody does
 * @param path the path of the lease node, which is there while the slot is held
 * @param recordPath the path of the record, which is there once the slot was claimed or retired
 * @param unreadable why nothing more can be said; null for what can be read
 */
@JsonPropertyOrder({"scheme", "slot", "state", "since", "reservedThrough", "timeLeftMillis", "freeAt", "lease"})
public record LeaseView(
        String scheme,
        String slot,
        State state,
        @Nullable Instant since,
        @Nullable Instant reservedThrough,
        @Nullable Long timeLeftMillis,
        @Nullable Instant freeAt,
        @Nullable LeaseNode lease,
        String path,
        String recordPath,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String unreadable) {

    /** The state of a slot. */
    public enum State {
        /** A replica holds the slot. */
        HELD,
        /** Nobody holds the slot; a tenure that claims it serves at once. */
        FREE,
        /**
         * Nobody holds the slot, and ticks that were reserved, or that lie before the pool's floor, are still ahead.
         */
        COOLING,
        /** An operator took the slot out of the pool, or all of the scheme's time is reserved. */
        RETIRED,
        /**
         * The lease or record cannot be read, or may not be, or the name is no slot of the layout that is configured
         * here.
         */
        UNREADABLE;

        /** The state as it is written everywhere: {@code cooling}. */
        @Override
        @JsonValue
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static LeaseView unreadable(String scheme, String slot, String path, String recordPath, String why) {
        return new LeaseView(scheme, slot, State.UNREADABLE, null, null, null, null, null, path, recordPath, why);
    }
}
