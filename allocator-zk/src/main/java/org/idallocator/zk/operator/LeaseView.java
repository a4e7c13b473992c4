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
 * @param state the slot's state
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

    /** A name that is no slot, or a slot that cannot be read. */
    static LeaseView unreadable(String scheme, String name, String why) {
        return new LeaseView(scheme, name, State.UNREADABLE, null, null, why);
    }

    /** The state of a slot. */
    public enum State {
        /** A replica holds the slot. */
        HELD,
        /** Nobody holds the slot; a tenure that claims it serves at once. */
        FREE,
        /** Nobody holds the slot, and ticks that were reserved are still ahead. */
        COOLING,
        /** An operator took the slot out of the pool for good, or all of the scheme's time is reserved. */
        RETIRED,
        /** The lease or record cannot be read, or the name is no slot of the layout that is configured here. */
        UNREADABLE;

        /** The state as it is written everywhere: {@code cooling}. */
        @Override
        @JsonValue
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
