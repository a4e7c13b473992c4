package org.idallocator.zk.operator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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

/**
 * Puts one retired slot back into its pool, see {@link ClusterView#unretire}. This is the one write that lowers a ceiling. That
 * of a retired record is the last tick of the scheme, and no tenure reserved it: the record keeps beside it until when tenures
 * may issue. The new ceiling covers that, and the write depends on the record's version, on the incarnation and on the
 * generation. So nobody has reserved anything since that was read.
 */
final class Unretirement {
    private final Nodes nodes;
    private final Store store;
    private final Tree tree;
    private final Slot slot;
    private final TickUnit unit;
    private final String record;
    private final Layouts layouts;
    private final Instant usedUntil;
    private final String nonce = "unretired-" + UUID.randomUUID();
    private final Tries tries;
    private Optional<SlotRecord> sent = Optional.empty();

    Unretirement(OperatorAccess access, Slot slot, Instant usedUntil) {
        this.nodes = access.nodes();
        this.store = nodes.store();
        this.tree = nodes.tree();
        this.slot = slot;
        this.unit = slot.unit();
        this.record = tree.record(slot);
        this.layouts = access.layouts();
        this.usedUntil = usedUntil;
        this.tries = new Tries(slot);
    }

    /** Returns the start of the first tick that the slot's next tenure may issue in. */
    Instant run() {
        return tries.until(() -> {
            Epoch epoch = epoch();
            return unretired(epoch)
                    .map(written -> unit.instantAt(Math.max(written.ceiling() + 1, epoch.firstTick(unit))));
        });
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

    /** Empty when it is not certain that this try has put the slot back. */
    private Optional<SlotRecord> unretired(Epoch epoch) {
        Store.Node before = store.read(record).orElseThrow(this::notRetired);
        SlotRecord found = nodes.found(record, before, SlotRecord.class).get();
        if (!found.isRetired()) {
            return Optional.of(sent.filter(earlier -> isBack(earlier, found)).orElseThrow(this::notRetired));
        }
        SlotRecord next = SlotRecord.unretired(unit, ceiling(found), nonce).keeping(found.unknown());
        sent = Optional.of(next);
        List<Store.Op> ops = epoch.checks(tree, slot.pool());
        ops.add(new Store.Op.Write(record, Json.write(next), before.version()));
        ops.addAll(underOtherNames(next.ceiling()));
        return tries.written(store, ops) ? sent : Optional.empty();
    }

    /**
     * Under a name of another length the slot would be retired again as soon as such a layout comes back. All names come back
     * above what any of them reserves, {@code least} or later, whatever that layout's floor will be.
     */
    private List<Store.Op> underOtherNames(long least) {
        List<Store.Op> ops = new ArrayList<>();
        String records = tree.records(slot.pool());
        for (String name : store.children(records)) {
            String path = records + "/" + name;
            boolean another = !path.equals(record)
                    && slot.pool().names().slotAtAnySize(name).equals(OptionalLong.of(slot.number()));
            Optional<Store.Node> node = another ? store.read(path) : Optional.empty();
            node.flatMap(there -> nodes.found(path, there, SlotRecord.class).replaceable())
                    .filter(SlotRecord::isRetired)
                    .map(retired -> SlotRecord.unretired(unit, Math.max(least, ceiling(retired)), nonce)
                            .keeping(retired.unknown()))
                    .ifPresent(next -> ops.add(new Store.Op.Write(
                            path, Json.write(next), node.orElseThrow().version())));
        }
        return ops;
    }

    /**
     * Whether the slot is in its pool again as this command wanted it, after an earlier try that had no plain answer. A replica
     * may have claimed the slot since. Somebody else may have put it back, but not above all that was used.
     */
    private static boolean isBack(SlotRecord earlier, SlotRecord found) {
        return found.ceiling() >= earlier.ceiling();
    }

    /** The last tick, inclusive, that tenures reserved before the slot was retired, or in which somebody issued elsewhere. */
    private long ceiling(SlotRecord retired) {
        Instant reserved = retired.reservedThrough(unit);
        Instant used = Floors.later(reserved, usedUntil);
        if (!used.isBefore(unit.instantAt(unit.maxTick()))) {
            throw new RefusedException(slot + " has no time left: all is used up to " + used + "; nothing was changed");
        }
        long issuedElsewhere = usedUntil.isAfter(Instant.EPOCH) ? unit.tickAt(micros(usedUntil)) : -1;
        return Math.max(-1, Math.max(unit.firstTickFrom(micros(reserved)) - 1, issuedElsewhere));
    }

    /** Rounded up, so that nothing is left out. */
    private static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + (time.getNano() + 999) / 1_000;
    }
}
