package org.idallocator.zk.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import org.idallocator.zk.node.LeaseNode;
import org.jspecify.annotations.Nullable;

/**
 * A slot as ZooKeeper shows it.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param state how it stands
 * @param lease who holds it; null when nobody does
 * @param reservedThrough the end of the last tick reserved by any tenure so far; null when there never was one
 * @param unreadable why nothing more can be said; null for what can be read
 */
public record LeaseView(
        String scheme,
        String slot,
        State state,
        @Nullable LeaseNode lease,
        @Nullable Instant reservedThrough,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String unreadable) {

    /** What is there and is no slot, or cannot be read. */
    static LeaseView unreadable(String scheme, String name, String why) {
        return new LeaseView(scheme, name, State.UNREADABLE, null, null, why);
    }

    /** How a slot stands. */
    public enum State {
        /** A replica holds it. */
        HELD,
        /** Nobody holds it; it can be claimed and serves at once. */
        FREE,
        /** Nobody holds it; ticks that were reserved are still ahead. */
        COOLING,
        /** It was taken out of the pool for good. */
        RETIRED,
        /** Its lease or record cannot be read, or it is no slot of the layout that is configured here. */
        UNREADABLE;

        /** As it is written everywhere, lower-case. */
        @Override
        @JsonValue
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
