package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;

/**
 * One successful claim of a slot, and what it may issue. Immutable but for what it knows of its record, which belongs to the
 * lease loop's thread.
 *
 * @param claim as it was sent
 * @param known of the record
 */
record Tenure(Slot slot, Claim claim, Fence fence, Generator generator, Known known) {
    Tenure(Slot slot, Claim claim, Fence fence, Generator generator) {
        this(slot, claim, fence, generator, new Known());
    }

    private static final class Known {
        private final Set<SlotRecord> mayHaveLeft = new HashSet<>(); // without fields that this software only keeps
        private int version = -1;
    }

    String nonce() {
        return claim.lease().nonce();
    }

    /** The record by which this tenure reserves every tick up to {@code ceiling}, inclusive. */
    SlotRecord reserving(long ceiling) {
        return SlotRecord.reserved(slot.unit(), ceiling, nonce()).keeping(claim.kept());
    }

    /** The record that this tenure leaves when it ends in order; {@code last} is the last tick that it used. */
    SlotRecord leaving(long last) {
        return SlotRecord.released(slot.unit(), last, nonce()).keeping(claim.kept());
    }

    /** The end of the last tick reserved so far. */
    Instant reservedThrough() {
        return slot.unit().instantAt(fence.ceilingTick() + 1);
    }

    /** Ends issuing for good. Returns the last tick that was used; -1 where none was. */
    long close() {
        long last = generator.close();
        return last >= fence.floorTick() ? last : -1;
    }

    /** The last tick that may have been issued, or may still be: up to the ceiling, while the fence has not tripped. */
    long lastPossible() {
        return fence.fenced() == null ? fence.ceilingTick() : generator.close();
    }

    /** Whether it may have left a record that others may go on from. */
    boolean hasLeftRecord() {
        return known.mayHaveLeft.stream().anyMatch(SlotRecord::released);
    }

    int recordVersion() {
        return known.version;
    }

    /** The record was found at this version, whoever wrote it. */
    void recordVersion(int version) {
        known.version = version;
    }

    /** This tenure is about to write this. Returns the same. */
    SlotRecord writes(SlotRecord sent) {
        known.mayHaveLeft.add(sent.keeping(Map.of()));
        return sent;
    }

    /**
     * Whether a record is of this tenure's own writing: its last confirmed write, or one of those that were sent since. All of
     * these are conditional on the same version, so that one of them at most was made. A nonce alone tells nothing: a copy of this
     * process has it, too, and writes other bits.
     */
    boolean mayHaveLeft(SlotRecord found) {
        return known.mayHaveLeft.contains(found.keeping(Map.of()));
    }

    /** Whether a copy of this process wrote a record: in this tenure's name, with bits that this tenure does not know. */
    boolean wasCopied(SlotRecord found) {
        return found.isOf(nonce()) && found.write() != null && !mayHaveLeft(found);
    }

    /** The record is as this tenure has left it. What was sent before that and not made, can be made no more. */
    void recordIs(int version, SlotRecord written) {
        if (version != known.version) {
            known.mayHaveLeft.clear();
            writes(written);
        }
        known.version = version;
    }

    /**
     * How many nanoseconds the clock, at a wall time in microseconds, is behind the generator's last ID; 0 when it is not, or
     * by a tick at most, and when nothing was issued yet.
     */
    long nanosBehind(long micros) {
        long nowTick = slot.unit().tickAt(micros);
        long dueTick = generator.dueTick(nowTick);
        boolean behind = dueTick > fence.floorTick() && dueTick > nowTick + 1;
        return behind ? slot.unit().nanosUntil(dueTick, micros) : 0;
    }

    /** The slot as it is held at a wall time in microseconds. */
    HeldSlot held(Tree tree, long micros) {
        Instant now = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        Instant through = reservedThrough();
        return new HeldSlot(
                slot.scheme().name(),
                slot.name(),
                claim.lease(),
                through,
                Math.max(0, Duration.between(now, through).toMillis()),
                fence.untilDeadline().toMillis(),
                tree.lease(slot),
                nonce(),
                claim.lease().acquiredAt(),
                fence.floorTick(),
                fence.ceilingTick());
    }

    @Override
    public String toString() {
        return slot + " (tenure " + nonce() + ")";
    }
}
