package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Floors;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Puts one retired slot back into its pool, see {@link ClusterView#unretire}. This is the one write that lowers a ceiling. That
 * of a retired record is the last tick of the scheme, and no tenure reserved it: the record keeps beside it until when tenures
 * may issue. The new ceiling covers that, and the write depends on the record's version, on the incarnation and on the
 * generation. So nobody has reserved anything since that was read.
 */
final class Unretirement {
    private static final int TRIES = 10;

    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Slot slot;
    private final TickUnit unit;
    private final String record;
    private final Layouts layouts;
    private final String nonce = "unretired-" + UUID.randomUUID();

    Unretirement(OperatorAccess access, Slot slot) {
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.slot = slot;
        this.unit = slot.unit();
        this.record = tree.record(slot);
        this.layouts = access.layouts();
    }

    Instant run(Instant usedUntil) {
        for (int i = 0; i < TRIES; i++) {
            Optional<SlotRecord> written = unretired(epoch(), usedUntil);
            if (written.isPresent()) {
                return unit.instantAt(Math.max(0, written.get().ceiling() + 1));
            }
        }
        throw new StoreException(
                StoreException.Kind.CONFLICT,
                "slot " + slot.name() + " was written again and again meanwhile; try again");
    }

    /** The epoch as it is. Begins nothing: where there is none, nothing is retired. */
    private Epoch epoch() {
        store.sync(record);
        Root.Seen meta =
                Root.read(nodes).orElseThrow(() -> Fencing.of(FenceReason.META_GONE, tree.meta() + " does not exist"));
        Layouts.Seen layout = Layouts.read(nodes, slot.pool()).orElseThrow(this::notRetired);
        layouts.requireAgreed(slot.pool(), layout.node());
        return new Epoch(meta, layout);
    }

    private RefusedException notRetired() {
        return new RefusedException(slot + " is not retired; nothing was changed");
    }

    /** Empty when somebody wrote meanwhile, or the answer was lost; the next try finds out. */
    private Optional<SlotRecord> unretired(Epoch epoch, Instant usedUntil) {
        Store.Node before = store.read(record).orElseThrow(this::notRetired);
        SlotRecord found = Json.read(record, before.data(), SlotRecord.class);
        if (found.nonce().equals(nonce)) {
            return Optional.of(found); // an earlier try made it
        }
        if (!found.isRetired()) {
            throw notRetired();
        }
        SlotRecord next = SlotRecord.unretired(unit, ceiling(found, usedUntil), nonce);
        List<Store.Op> ops = epoch.checks(tree, slot.pool());
        ops.add(new Store.Op.Write(record, Json.write(next), before.version()));
        return store.attempt(ops) ? Optional.of(next) : Optional.empty();
    }

    /** The last tick, inclusive, that tenures reserved before the slot was retired, or in which somebody issued elsewhere. */
    private long ceiling(SlotRecord retired, Instant usedUntil) {
        Instant reserved = retired.reservedThrough(unit);
        if (!Floors.later(reserved, usedUntil).isBefore(unit.instantAt(unit.maxTick()))) {
            throw new RefusedException(slot + " has no time left: all is used up to "
                    + Floors.later(reserved, usedUntil) + "; nothing was changed");
        }
        long used = usedUntil.isAfter(Instant.EPOCH) ? unit.tickAt(micros(usedUntil)) : -1;
        return Math.max(-1, Math.max(unit.firstTickFrom(micros(reserved)) - 1, used));
    }

    /** Rounded up, so that nothing is left out. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + (time.getNano() + 999) / 1_000;
    }
}
