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
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims one slot. In one transaction the lease appears and the record's ceiling rises, on condition that the record is as it
 * was read. {@link Succession} says where the tenure begins.
 *
 * <p>The tenure's deadline counts from before the transaction was sent. A claim whose answer is lost is read back.
 *
 * @param releaser gets the tenures that may have a lease or a record although their claim failed
 */
record Claimer(Znodes nodes, Reservation reservation, Resolver resolver, Replica replica, Releaser releaser) {
    private static final Logger LOG = LoggerFactory.getLogger(Claimer.class);
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
        long least = Math.max(epoch.firstTick(slot.unit()), releaser.own().first(slot));
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
        ops.add(new Store.Op.Create(tree.lease(slot), Json.write(tenure.claim().lease()), true));
        ops.addAll(before.making());
        SlotRecord record = tenure.writes(nodes.sent(tenure.reserving(ceiling)));
        ops.add(Reservation.write(tree, slot, record, before.version()));
        if (!written(tenure, record, ops) && !found(tenure)) {
            return Optional.empty();
        }
        releaser.failures().forget(slot);
        releaser.own().begins(tenure);
        return Optional.of(tenure);
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
        Claim claim = new Claim(lease, session.id(), epoch.layout().node().generation(), endNanos, kept);
        return new Tenure(slot, claim, fence, start.open().apply(fence));
    }

    /** Whether the transaction gave a plain OK on the session that the lease names. */
    private boolean written(Tenure tenure, SlotRecord record, List<Store.Op> ops) {
        long sentNanos = reservation.clock().nanos();
        try {
            Store.Written written = nodes.store().multi(ops).get(0);
            reservation.leaderClock().observe(written, sentNanos);
            tenure.recordIs(written.version(), record);
            return nodes.store().session().id() == tenure.claim().session();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            LOG.debug(
                    "the answer to the claim of {} is lost, or was for a repeated attempt: it is read back", tenure, e);
            return false;
        }
    }

    /** Whether reading back finds the tenure in ZooKeeper. */
    private boolean found(Tenure tenure) {
        try {
            Resolver.Resolution found = resolver.resolve(tenure);
            tenure.recordVersion(found.recordVersion());
            if (found.lost() != null && found.anythingOurs()) {
                releaser.add(tenure); // a repeated attempt made it on a session that came later
            }
            return found.lost() == null;
        } catch (StoreException e) {
            releaser.add(tenure);
            throw e;
        }
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
        Store.Op.Create making = new Store.Op.Create(path, Json.write(nodes.sent(first)), false);
        if (first.equals(SlotRecord.unused())) {
            return new Before(first, 0, List.of(making));
        }
        var unused = nodes.store()
                .attempt(epoch.meta()
                        .checks(nodes.tree(), making)); // where another replica was first, its record will do
        return nodes.record(slot)
                .map(made -> new Before(made.get(), made.version(), List.of()))
                .orElseThrow(() ->
                        new StoreException(StoreException.Kind.CONFLICT, path + " was removed while it was claimed"));
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
