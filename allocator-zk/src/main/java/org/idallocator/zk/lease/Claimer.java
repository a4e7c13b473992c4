package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Outcome.Applied;
import org.idallocator.zk.store.Outcome.Unknown;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Claims one slot. In one transaction the lease appears and the record's ceiling rises, on condition that the record is as it
 * was read. {@link Succession} says where the tenure begins.
 *
 * <p>The tenure's deadline counts from before the transaction was sent. A claim whose answer is lost is read back.
 *
 * @param releaser gets the tenures that may have a lease or a record although their claim failed
 */
record Claimer(Znodes nodes, Reservation reservation, Replica replica, Releaser releaser) {
    private static final String LEFT_ASIDE =
            "the snapshot in the record is left aside: it is none of this slot, or says more than was reserved";

    /**
     * Tries to claim a slot.
     *
     * @param epoch the epoch of the slot's pool, found to be as configured
     * @return the tenure; empty when somebody else was faster
     * @throws org.idallocator.core.fence.FencedException when the clock is off, the scheme's time is used up, or the slot could
     *     not serve soon; nothing was claimed
     * @throws StoreException when ZooKeeper does not answer, or refuses; a claim that may have happened goes to the
     *     releaser
     */
    Optional<Tenure> claim(Slot slot, Epoch epoch) {
        long micros = reservation.leaderClock().requireMicros();
        Before before = before(slot, epoch, micros);
        long least = Math.max(epoch.firstTick(slot.unit()), releaser.issued().first(slot));
        Succession start = Succession.of(slot, before.record(), least);
        if (start.leftAside()) {
            releaser.failures().failed(slot, new StoreException(StoreException.Kind.MALFORMED, LEFT_ASIDE));
        }
        long ceiling = Math.max(start.leastCeiling(), reservation.ceiling(slot.unit(), micros));
        refuseWhatCannotServe(slot, start.floor(), ceiling, micros);
        Tenure tenure = tenure(slot, epoch, start, ceiling, before.record().unknown());
        reservation.tooLong(tenure).ifPresent(why -> {
            throw why;
        });
        Tree tree = nodes.tree();
        List<Store.Op> ops = epoch.checks(tree, slot.pool());
        ops.add(new Store.Op.Create(tree.lease(slot), Json.write(tenure.grant().lease()), true));
        ops.addAll(before.making());
        SlotRecord record = tenure.record().send(nodes.sent(tenure.grant().reserving(ceiling)));
        RecordWrite write = RecordWrite.of(tree, slot, record, before.version());
        ops.add(write.op());
        return claimed(tenure, write, ops) ? Optional.of(tenure) : Optional.empty();
    }

    /** Leaves a slot alone that would have nothing to issue: another may be free, or come free, that serves sooner. */
    private static void refuseWhatCannotServe(Slot slot, long floor, long ceiling, long micros) {
        if (floor > ceiling) {
            String used = slot.scheme().name() + " has no time left after tick " + (floor - 1);
            throw floor > slot.unit().maxTick()
                    ? FencedException.of(FenceReason.CEILING_PASSED, used)
                    : Reservation.cooling(slot.unit().nanosUntil(floor, micros));
        }
    }

    /** The tenure that the claim would begin. Its deadline counts from now, before the claim is sent. */
    private Tenure tenure(Slot slot, Epoch epoch, Succession start, long ceiling, Map<String, JsonNode> kept) {
        Clock clock = reservation.clock();
        long sentNanos = clock.nanos();
        long endNanos =
                sentNanos + slot.pool().longestTenure().map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
        Session session = nodes.store().session();
        long deadlineNanos = reservation.deadlineNanos(sentNanos, session.timeout(), endNanos);
        Fence fence = new Fence(clock, start.floor(), ceiling, deadlineNanos);
        Instant acquiredAt = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        LeaseNode lease = LeaseNode.of(slot, UUID.randomUUID().toString(), replica, session.id(), acquiredAt);
        Grant grant = new Grant(slot, lease, session, epoch.layout().node().generation(), endNanos, kept);
        return new Tenure(grant, fence, start.open().apply(fence));
    }

    /** Sends the claim. False where somebody else was faster. */
    private boolean claimed(Tenure tenure, RecordWrite write, List<Store.Op> ops) {
        Transaction transaction = Transaction.of(ops)
                .witnessedBy(write.op(), write.record().mark())
                .on(tenure.grant().session());
        long sentNanos = reservation.clock().nanos();
        releaser.add(tenure); // first: whatever breaks from here on, what may have been claimed is released
        Outcome outcome = sent(tenure, transaction);
        if (outcome instanceof Applied applied) {
            tenure.record().settle(write.leaves(), write.record());
            releaser.failures().forget(tenure.slot());
            if (!applied.readBack()) {
                reservation.leaderClock().observe(applied.written().get(0), sentNanos);
            }
            return true;
        }
        if (outcome instanceof Unknown lost) {
            throw lost.trouble();
        }
        forget(tenure);
        return false;
    }

    private Outcome sent(Tenure tenure, Transaction transaction) {
        try {
            return nodes.store().commit(transaction);
        } catch (StoreException e) { // nothing was sent, or nothing is allowed
            forget(tenure);
            throw e;
        }
    }

    /** Nothing was claimed. */
    private void forget(Tenure tenure) {
        releaser.remove(tenure);
        tenure.forget();
    }

    /**
     * What a claim goes on from.
     *
     * @param record what the slot's record held, or is to hold first
     * @param version the version that the claim's write of the record is conditional on
     * @param making what the claim has to do before that; empty where there is a record
     */
    private record Before(SlotRecord record, int version, List<Store.Op> making) {}

    /**
     * The slot's record. Where there is none, and the slot was never used, the claim itself makes the record: its transaction
     * is conditional on there being none, as it else is on the record's version, and a start of many replicas takes a third
     * fewer writes. A record of a slot that may have been used is made before the claim, which may well be refused: what the
     * record reserves has to pass by from now on, and not from the next try.
     */
    private Before before(Slot slot, Epoch epoch, long micros) {
        String path = nodes.tree().record(slot);
        Optional<Znodes.Found<SlotRecord>> record = nodes.record(slot).or(() -> {
            nodes.store().sync(path); // a server that is behind may not know yet that a record was made and deleted
            return nodes.record(slot);
        });
        if (record.isPresent()) {
            return new Before(record.get().get(), record.get().version(), List.of());
        }
        SlotRecord first = firstRecord(slot, epoch, micros);
        SlotRecord sent = nodes.sent(first);
        Store.Op.Create making = new Store.Op.Create(path, Json.write(sent), false);
        if (first.equals(SlotRecord.unused())) {
            return new Before(first, 0, List.of(making));
        }
        Transaction made =
                Transaction.of(epoch.meta().checks(nodes.tree(), making)).witnessedBy(making, sent.mark());
        var unused = nodes.store().commit(made).applied(); // where another replica was first, its record will do
        return nodes.record(slot)
                .map(found -> new Before(found.get(), found.version(), List.of()))
                .orElseThrow(() -> new ChangedMeanwhileException(path + " was removed while it was claimed"));
    }

    /**
     * A slot without a record was never used, unless somebody deleted records, as nobody should. Whoever used the slot may be cut
     * off then and serve on, so all that may have been reserved is reserved again.
     */
    private SlotRecord firstRecord(Slot slot, Epoch epoch, long micros) {
        if (!nodes.recordsDeleted(slot.pool())) {
            return SlotRecord.unused();
        }
        long ceiling =
                reservation.aboveAll(slot.unit(), micros, epoch.layout().node().terms());
        return SlotRecord.released(slot.unit(), ceiling, "lost");
    }
}
