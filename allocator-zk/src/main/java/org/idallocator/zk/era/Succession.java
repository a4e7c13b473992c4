package org.idallocator.zk.era;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.scheme.Handover;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;

/**
 * Where a tenure begins, told from the record that the slot's last tenure left. Replicas claim by this, and people are
 * told by it when a slot serves.
 *
 * <p>Usually a tenure begins one above the ceiling, or at the pool's floor where that is later: so it shares no tick
 * with an earlier one. A tenure that was released in order may have left a snapshot. Then its successor takes its whole
 * range over, from its floor on, and goes on from its very state.
 *
 * <p>Two things make that safe. No two tenures go on from the same snapshot: it is of a closed generator, the claim
 * that uses it is conditional on the record's version, and that claim writes a record without it. And the successor's
 * ceiling is not below the one in the record: should the successor crash, the tenure after it starts above everything
 * that either used.
 */
public sealed interface Succession {

    /** The first tick of the tenure, inclusive. */
    long floor();

    /**
     * The tick from which on the tenure surely issues: its first, or where it goes on from a snapshot, the last that
     * was used, if that is later. For people alone: where a clock is behind, a sno's tenure may issue earlier, on its
     * other timeline.
     */
    long firstIssued();

    /** The ceiling that the tenure reserves; {@code usual} is that of a tenure that takes nothing over. */
    long ceiling(long usual);

    /** Whether the record has a snapshot that is of no use. */
    boolean leavesSnapshotAside();

    /** Opens the tenure's generator. */
    Generator open(Fence fence);

    /**
     * Where a tenure of {@code slot} begins; {@code least} is the first tick that it may use, whatever the record says:
     * the floor of all tenures of the pool, as {@link Era} has it, or above what this process itself has issued. A
     * snapshot that cannot be read, or that says more than was reserved, counts as none.
     */
    static Succession of(Slot slot, SlotRecord last, long least) {
        try {
            return slot.scheme()
                    .handover()
                    .flatMap(handover -> resumed(handover, slot, last, least))
                    .orElseGet(() -> above(slot, last, least, false));
        } catch (IllegalArgumentException e) { // not to be logged: its message has the snapshot, of which IDs are made
            return above(slot, last, least, true);
        }
    }

    private static Succession above(Slot slot, SlotRecord last, long least, boolean leavesSnapshotAside) {
        return new Above(slot, Math.max(last.ceiling() + 1, least), leavesSnapshotAside);
    }

    /** Empty where there is no snapshot; {@link IllegalArgumentException} where there is one that is of no use. */
    private static <S> Optional<Succession> resumed(Handover<S> handover, Slot slot, SlotRecord last, long least) {
        Long floor = last.floor();
        JsonNode snapshot = last.snapshot();
        if (!last.released() || floor == null || snapshot == null) {
            return Optional.empty();
        }
        S from = Json.value(snapshot, handover.type());
        long used = handover.used().lastTick(slot.number(), from);
        if (used > last.ceiling()) {
            throw new IllegalArgumentException("it reaches above the ceiling " + last.ceiling());
        }
        return Optional.of(new Resumed<>(handover, slot.number(), from, Math.max(floor, least), used, last.ceiling()));
    }

    /** A tenure that begins above all that the record reserves. */
    record Above(Slot slot, long floor, boolean leavesSnapshotAside) implements Succession {
        @Override
        public long firstIssued() {
            return floor;
        }

        @Override
        public long ceiling(long usual) {
            return usual;
        }

        @Override
        public Generator open(Fence fence) {
            return slot.scheme().open(slot.number(), fence);
        }
    }

    /** A tenure that goes on from the snapshot of the last one. It reserves no less than that one did. */
    final class Resumed<S> implements Succession {
        private final Handover<S> handover;
        private final long slot;
        private final S snapshot;
        private final long floor;
        private final long lastUsed;
        private final long lastCeiling;

        private Resumed(Handover<S> handover, long slot, S snapshot, long floor, long lastUsed, long lastCeiling) {
            this.handover = handover;
            this.slot = slot;
            this.snapshot = snapshot;
            this.floor = floor;
            this.lastUsed = lastUsed;
            this.lastCeiling = lastCeiling;
        }

        @Override
        public long floor() {
            return floor;
        }

        @Override
        public long firstIssued() {
            return Math.max(floor, lastUsed);
        }

        @Override
        public long ceiling(long usual) {
            return Math.max(lastCeiling, usual);
        }

        @Override
        public boolean leavesSnapshotAside() {
            return false;
        }

        @Override
        public Generator open(Fence fence) {
            return handover.resume().open(slot, snapshot, fence);
        }
    }
}
