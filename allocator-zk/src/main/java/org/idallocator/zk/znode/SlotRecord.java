package org.idallocator.zk.znode;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.id.BadValueException;
import org.jspecify.annotations.Nullable;

/**
 * The PERSISTENT node beside a lease. It keeps tenures apart: every tick up to {@code ceiling} belongs to this or an
 * earlier tenure, for ever. Each write is conditional on the version that its writer saw.
 *
 * @param version the version that wrote this, see {@link Version}
 * @param ceiling the highest tick reserved so far, inclusive; -1 before the first tenure
 * @param reservedThrough the end of that tick, for people; of a retired slot, the end of what was reserved before, see
 *     {@link #reservedThrough(TickUnit)}
 * @param nonce the tenure that wrote the record; empty before the first tenure and of a retired slot, {@code lost} in
 *     the place of a missing record; {@code unretired-} and a name where an operator put a retired slot back,
 *     {@code revoked-} and the nonce of the tenure that an operator took the slot away from
 * @param released whether that tenure ended in order, its ceiling set down to the last tick it used
 * @param floor the first tick of that tenure, where it left a snapshot
 * @param snapshot what that tenure left for the next to go on from; only in a released record, and of some schemes
 * @param write 64 bits in hex that no other write of a record has, so that whoever reads back knows its own writes;
 *     null in what was not sent, or is of a version that does not know them: older software keeps what the record
 *     before it had
 * @param contact what the writer knew of ZooKeeper's history; null where the writer did not know, or is of a version
 *     that does not say so: older software keeps what the record before it had
 * @param unknown fields of later versions, which every write keeps
 */
public record SlotRecord(
        int version,
        long ceiling,
        Instant reservedThrough,
        String nonce,
        boolean released,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Long floor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable JsonNode snapshot,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String write,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Vouch contact,
        @JsonAnyGetter @JsonAnySetter Map<String, JsonNode> unknown) {

    private static final String NO_TENURE = "";
    private static final String LOST = "lost";
    private static final String UNRETIRED = "unretired-";
    private static final String REVOKED = "revoked-";

    public SlotRecord {
        unknown = Version.unknown(unknown);
        write = version < Version.OF_WRITES ? null : write;
        contact = version < Version.OF_CONTACTS ? null : contact;
        Bounds.present("nonce", nonce);
        Bounds.within("ceiling", ceiling, -1, Bounds.WIDEST.maxTick());
        Bounds.time("reservedThrough", reservedThrough);
        Bounds.within(
                "floor", floor, 0, ceiling + 1); // a tenure that has used nothing leaves the tick before its floor
    }

    /**
     * Throws {@link BadValueException} where the record reserves more than the time field holds: no replica writes
     * that.
     */
    void requireWithin(TickUnit unit) {
        Bounds.within("ceiling", ceiling, -1, unit.maxTick());
        if (reservedThrough.isAfter(end(unit))) {
            throw new BadValueException("reservedThrough", "must be at most " + end(unit) + ": " + reservedThrough);
        }
    }

    private static Instant end(TickUnit unit) {
        return unit.instantAt(unit.maxTick() + 1);
    }

    /** What the tenure of this nonce reserves: every tick up to {@code ceiling}, inclusive. */
    public static SlotRecord reserved(TickUnit unit, long ceiling, String nonce) {
        return new SlotRecord(
                Version.OURS, ceiling, unit.instantAt(ceiling + 1), nonce, false, null, null, null, null, Map.of());
    }

    /** What the tenure of this nonce leaves when it ends in order: {@code last} is the last tick that it used. */
    public static SlotRecord released(TickUnit unit, long last, String nonce) {
        return new SlotRecord(
                Version.OURS, last, unit.instantAt(last + 1), nonce, true, null, null, null, null, Map.of());
    }

    /**
     * What takes the place of a record that somebody has deleted: all that anybody may have reserved is reserved, by no
     * tenure.
     */
    public static SlotRecord lost(TickUnit unit, long ceiling) {
        return released(unit, ceiling, LOST);
    }

    /**
     * The record of a slot that an operator put back into its pool: every tick up to {@code ceiling} stays reserved, by
     * no tenure.
     */
    public static SlotRecord unretired(TickUnit unit, long ceiling, String name) {
        return released(unit, ceiling, UNRETIRED + name);
    }

    /**
     * The record of a slot that an operator took away from the tenure of this nonce: every tick up to {@code ceiling}
     * stays reserved.
     */
    public static SlotRecord revoked(TickUnit unit, long ceiling, String tenure) {
        return released(unit, ceiling, REVOKED + tenure);
    }

    /** Whether an operator took the slot away from the tenure of this nonce. */
    public boolean revokes(String tenure) {
        return nonce.equals(REVOKED + tenure);
    }

    /**
     * The same with a snapshot, from which the slot's next tenure goes on; it also gets the ticks from {@code newFloor}
     * on.
     */
    public SlotRecord with(long newFloor, JsonNode newSnapshot) {
        return new SlotRecord(
                version, ceiling, reservedThrough, nonce, released, newFloor, newSnapshot, write, contact, unknown);
    }

    /** The same with the fields of later versions that the record before it had. */
    public SlotRecord keeping(Map<String, JsonNode> fields) {
        return new SlotRecord(
                version, ceiling, reservedThrough, nonce, released, floor, snapshot, write, contact, fields);
    }

    /** The same as one write sends it, or sent it. */
    public SlotRecord sentAs(@Nullable String bits) {
        return new SlotRecord(
                version, ceiling, reservedThrough, nonce, released, floor, snapshot, bits, contact, unknown);
    }

    /** The same as somebody writes it who knows since when ZooKeeper has lost nothing, or does not know. */
    public SlotRecord vouching(Optional<Vouch> known) {
        return new SlotRecord(
                version,
                ceiling,
                reservedThrough,
                nonce,
                released,
                floor,
                snapshot,
                write,
                known.orElse(null),
                unknown);
    }

    /** The text by which whoever reads back knows one write of a record, as it was sent: no other write has it. */
    public String mark() {
        return Objects.requireNonNull(write);
    }

    /**
     * From which version on a record can be understood: those before know all but {@code write} and {@code contact},
     * and keep those.
     */
    @JsonProperty
    int readableFrom() {
        return Version.FIRST;
    }

    /**
     * The record of a retired slot. All of the scheme's time is reserved, by no tenure, so that nobody claims the slot
     * again.
     *
     * @param issuingUntil until when the slot's last tenure may issue: the record's {@code reservedThrough}, which is
     *     never beyond the scheme's time
     */
    public static SlotRecord retired(TickUnit unit, Instant issuingUntil) {
        Instant until = issuingUntil.isAfter(end(unit)) ? end(unit) : issuingUntil;
        return new SlotRecord(Version.OURS, unit.maxTick(), until, NO_TENURE, true, null, null, null, null, Map.of());
    }

    /** Whether this is what a tenure reserves that has not ended. */
    public boolean isOf(String tenure) {
        return nonce.equals(tenure) && !released;
    }

    /** Whether an operator took the slot out of its pool. */
    @JsonIgnore
    public boolean isRetired() {
        return nonce.equals(NO_TENURE) && ceiling >= 0;
    }

    /** The end of what tenures have reserved of the slot, also of a retired one. */
    public Instant reservedThrough(TickUnit unit) {
        return isUsedUp(unit) ? reservedThrough : unit.instantAt(ceiling + 1);
    }

    /** Whether no time is left for another tenure. */
    public boolean isUsedUp(TickUnit unit) {
        return ceiling >= unit.maxTick();
    }

    /** The record of a slot that no tenure has used. */
    public static SlotRecord unused() {
        return new SlotRecord(Version.OURS, -1, Instant.EPOCH, NO_TENURE, true, null, null, null, null, Map.of());
    }
}
