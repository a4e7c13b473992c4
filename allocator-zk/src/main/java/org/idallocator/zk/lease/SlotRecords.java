package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.MissingRecords;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Answers;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;

/**
 * The records of slots that one transaction is to claim, as they are before it: read together, and made anew where
 * somebody has deleted records, as nobody should. Confined to the lease loop's thread.
 */
final class SlotRecords {
    private final Znodes nodes;
    private final LeaderClock leaderClock;
    private Answers read;

    /** Knows no record yet. */
    SlotRecords(Znodes nodes, LeaderClock leaderClock) {
        this.nodes = nodes;
        this.leaderClock = leaderClock;
        this.read = nodes.readAll(List.of());
    }

    /**
     * What a claim goes on from.
     *
     * @param record what the slot's record held, or is to hold first
     * @param version the version that the claim's write of the record is conditional on
     * @param making what the claim has to do before that; empty where there is a record
     */
    record Basis(SlotRecord record, int version, List<Store.Op> making) {}

    /**
     * Reads the records of these slots. Where one is missing, it is read again after a sync, because a server that is
     * behind may not know yet that a record was made and deleted. Where it still is, whether any record of its pool was
     * deleted is read after that: so a record that is deleted in between is not taken for one that never was. Nothing
     * helps against who deletes lease and record after that, as nobody should.
     */
    void read(List<WantedSlot> all) {
        List<Slot> slots = all.stream().map(WantedSlot::slot).toList();
        readRecords(slots);
        List<Slot> missing = missing(slots);
        if (!missing.isEmpty()) {
            nodes.store().sync(nodes.tree().record(missing.get(0)));
            readRecords(missing);
            readPaths(missing(missing).stream()
                    .map(slot -> nodes.tree().records(slot.pool()))
                    .distinct()
                    .toList());
        }
    }

    private void readRecords(List<Slot> slots) {
        readPaths(slots.stream().map(nodes.tree()::record).toList());
    }

    private void readPaths(List<String> paths) {
        read = read.with(nodes.readAll(paths));
    }

    private List<Slot> missing(List<Slot> slots) {
        return slots.stream().filter(this::isMissing).toList();
    }

    private boolean isMissing(Slot slot) {
        return !read.exists(nodes.tree().record(slot));
    }

    /**
     * Makes the records of those slots that may have been used and have none, before they are claimed, which may well
     * be refused: what the records reserve has to pass by from now on, and not from the next try. Where another replica
     * was faster with one of them, this try makes none.
     *
     * @throws FencedException when the clock is off; none is made
     * @throws StoreException when ZooKeeper does not answer
     */
    void remakeLost(List<WantedSlot> all, Incarnation meta) {
        List<WantedSlot> lost =
                all.stream().filter(wanted -> isLost(wanted.slot())).toList();
        if (lost.isEmpty()) {
            return;
        }
        long micros = leaderClock.requireMicros(); // anew: others may have reserved since anything was read
        List<Store.Op> ops = meta.checks(nodes.tree());
        for (WantedSlot wanted : lost) {
            SlotRecord first = nodes.withBits(firstRecord(wanted, micros));
            ops.add(Store.Op.Create.persistent(nodes.tree().record(wanted.slot()), Json.write(first)));
        }
        nodes.store().send(Transaction.of(ops)).requireAnswer(); // what is there now will do
        readRecords(lost.stream().map(WantedSlot::slot).toList());
    }

    /**
     * Whether the slot has no record, and may have been used all the same: somebody deleted records of its pool, as
     * nobody should.
     */
    private boolean isLost(Slot slot) {
        return isMissing(slot)
                && MissingRecords.mayHaveBeenUsed(read.readable(nodes.tree().records(slot.pool())));
    }

    /** Whoever used the slot may be cut off and serve on, so all that may have been reserved is reserved again. */
    private static SlotRecord firstRecord(WantedSlot wanted, long micros) {
        return MissingRecords.lost(
                wanted.slot().unit(), micros, wanted.era().layout().node().terms());
    }

    /**
     * What the claim of a slot goes on from. Where there is no record, and the slot was never used, the claim itself
     * makes it: its transaction is conditional on there being none, as it else is on the record's version, and a start
     * of many replicas takes a third fewer writes.
     *
     * @throws ChangedMeanwhileException where the slot may have been used, and has no record
     * @throws StoreException {@code MALFORMED}, {@code NEWER} or {@code NO_PERMISSION} where the record cannot be read
     */
    Basis basis(Slot slot) {
        String path = nodes.tree().record(slot);
        Optional<Znodes.Found<SlotRecord>> found = read.found(path, SlotRecord.class);
        if (found.isPresent()) {
            return new Basis(found.get().get(), found.get().version(), List.of());
        }
        if (isLost(slot)) {
            throw new ChangedMeanwhileException(path + " was removed while it was claimed");
        }
        SlotRecord first = nodes.withBits(SlotRecord.unused());
        return new Basis(SlotRecord.unused(), 0, List.of(Store.Op.Create.persistent(path, Json.write(first))));
    }
}
