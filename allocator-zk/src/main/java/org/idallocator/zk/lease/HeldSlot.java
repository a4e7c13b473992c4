package org.idallocator.zk.lease;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import org.idallocator.zk.znode.LeaseNode;

/**
 * A slot that this replica holds, told in the same words as {@link org.idallocator.zk.operator.LeaseView} tells the
 * slots of all replicas. Everything about who holds the slot is in {@code lease}.
 *
 * @param scheme the scheme's name
 * @param slot the slot's name
 * @param lease what the lease node says
 * @param reservedThrough the end of the last tick reserved so far
 * @param timeLeftMillis how long until {@code reservedThrough}, by this replica's clock; 0 when it is past
 * @param deadlineMillis how long until the deadline; a slot goes on serving if a renewal is confirmed earlier; 0 when
 *     the deadline is past
 * @param path the path of the lease node
 * @param nonce names the tenure, as in {@code lease}
 * @param acquiredAt when the slot was claimed, as in {@code lease}
 * @param floorTick the tenure's first tick, inclusive
 * @param ceilingTick the last tick reserved so far, inclusive
 */
@JsonPropertyOrder({"scheme", "slot", "state", "since", "reservedThrough", "timeLeftMillis", "deadlineMillis", "lease"})
public record HeldSlot(
        String scheme,
        String slot,
        LeaseNode lease,
        Instant reservedThrough,
        long timeLeftMillis,
        long deadlineMillis,
        String path,
        String nonce,
        Instant acquiredAt,
        long floorTick,
        long ceilingTick) {

    /** The slot's state, {@code held}. */
    @JsonProperty
    public String state() {
        return "held";
    }

    /** Until when IDs come from the slot where ZooKeeper gives no answer any more, by this replica's clock. */
    Instant reservedUntil() {
        return reservedThrough.minusMillis(Math.max(0, timeLeftMillis - deadlineMillis));
    }

    /** When the slot was claimed, by this replica's clock. */
    @JsonProperty
    public Instant since() {
        return acquiredAt;
    }
}
