package org.idallocator.zk.node;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Objects;
import org.idallocator.core.clock.TickUnit;
import org.jspecify.annotations.Nullable;

/**
 * The PERSISTENT node beside a lease, and what keeps tenures apart: every tick up to {@code ceiling} belongs to this or an
 * earlier tenure, for ever. Each write is conditional on the version that its writer saw.
 *
 * @param version of this shape, {@link #VERSION}
 * @param ceiling the highest tick reserved so far, inclusive; -1 before the first tenure
 * @param reservedThrough the end of that tick, for people; of a retired slot, the end of what was reserved before, see {@link
 *     #reservedThrough(TickUnit)}
 * @param nonce the tenure that wrote it; empty before the first
 * @param released whether that tenure ended in order, its ceiling set down to the last tick it used
 * @param floor the first tick of that tenure, where it left a snapshot
 * @param snapshot what it left to go on from; only in a released record, and of some schemes
 */
public record SlotRecord(
        int version,
        long ceiling,
        Instant reservedThrough,
        String nonce,
        boolean released,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long floor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode snapshot) {
    public static final int VERSION = 1;

    public SlotRecord {
        Objects.requireNonNull(reservedThrough);
        Objects.requireNonNull(nonce);
    }

    /** What the tenure of this nonce reserves: every tick up to {@code ceiling}, inclusive. */
    public static SlotRecord reserved(TickUnit unit, long ceiling, String nonce) {
        return new SlotRecord(VERSION, ceiling, unit.instantAt(ceiling + 1), nonce, false, null, null);
    }

    /** What the tenure of this nonce leaves, which ended in order: {@code last} is the last tick that it used. */
    public static SlotRecord released(TickUnit unit, long last, String nonce) {
        return new SlotRecord(VERSION, last, unit.instantAt(last + 1), nonce, true, null, null);
    }

    /** The same with something to go on from, which its next tenure takes over with the ticks from {@code newFloor} on. */
    public SlotRecord with(long newFloor, JsonNode newSnapshot) {
        return new SlotRecord(version, ceiling, reservedThrough, nonce, released, newFloor, newSnapshot);
    }

    /**
     * What keeps a slot from ever being claimed again: all of the scheme's time is reserved, by nobody.
     *
     * @param issuingUntil in the place of the end of that time: until when its last tenure may issue
     */
    public static SlotRecord retired(TickUnit unit, Instant issuingUntil) {
        return new SlotRecord(VERSION, unit.maxTick(), issuingUntil, "", true, null, null);
    }

    /** Whether an operator took the slot out of its pool. */
    @JsonIgnore
    public boolean isRetired() {
        return nonce.isEmpty() && ceiling >= 0;
    }

    /** The end of what tenures have reserved of the slot. */
    public Instant reservedThrough(TickUnit unit) {
        return usedUp(unit) ? reservedThrough : unit.instantAt(ceiling + 1);
    }

    /** Whether no time is left for another tenure. */
    public boolean usedUp(TickUnit unit) {
        return ceiling >= unit.maxTick();
    }

    /**
     * In the place of one that is missing where records were deleted: whoever used the slot may be cut off and still serve, and
     * all that it may have reserved is reserved again.
     */
    public static SlotRecord lost(TickUnit unit, long ceiling) {
        return released(unit, ceiling, "lost");
    }

    public static SlotRecord unused() {
        return new SlotRecord(VERSION, -1, Instant.EPOCH, "", true, null, null);
    }
}
