package org.idallocator.zk.lease;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Json;
import org.idallocator.zk.node.LeaseNode;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Claims one slot: in one transaction the lease appears and the record's ceiling rises, on the condition that the record is
 * as it was read. {@link Succession} says where the tenure begins.
 *
 * <p>Its deadline counts from before the transaction was sent. A claim whose answer is lost is read back.
 */
final class Claimer {
    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final ClockJudge judge;
    private final Resolver resolver;
    private final Replica replica;
    private final Reservation reservation;
    private final Waits waits;
    private final Consumer<Tenure> unresolved;

    Claimer(
            Store store,
            Tree tree,
            Clock clock,
            ClockJudge judge,
            Resolver resolver,
            Replica replica,
            Reservation reservation,
            Waits waits,
            Consumer<Tenure> unresolved) {
        this.store = store;
        this.tree = tree;
        this.clock = clock;
        this.judge = judge;
        this.resolver = resolver;
        this.replica = replica;
        this.reservation = reservation;
        this.waits = waits;
        this.unresolved = unresolved;
    }

    /**
     * Tries to claim a slot.
     *
     * @param layout of the pool, found to be as configured
     * @return the tenure; empty when somebody else was faster
     * @throws org.idallocator.core.fence.FencedException when the clock is off, the scheme's time is used up, or the slot could
     *     not serve soon; nothing was claimed
     * @throws StoreException when ZooKeeper cannot be asked; a claim that may have happened then goes to {@code unresolved}
     */
    Optional<Tenure> claim(Scheme<?> scheme, SlotPool pool, long slot, Root.Seen meta, Layouts.Seen layout) {
        long micros = judge.requireMicros();
        Store.Node before = record(pool, slot, meta, layout.node().terms(), micros);
        SlotRecord last = Json.read(tree.record(pool, slot), before.data(), SlotRecord.class);
        Succession start = Succession.of(scheme, slot, last, Succession.firstTick(pool.unit(), meta, layout), clock);
        long ceiling = Math.max(start.leastCeiling(), reservation.ceiling(pool.unit(), micros));
        refuseWhatCannotServe(scheme, pool, start.floor(), ceiling, micros);
        Tenure tenure = tenure(scheme.name(), pool, slot, layout.generation(), start, ceiling);
        waits.refuseIfTooLong(tenure);
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(Layouts.check(tree, pool, layout.generation()));
        ops.add(new Store.Op.Create(tree.lease(pool, slot), Json.write(lease(tenure)), true));
        ops.add(reservation.write(tree, pool, slot, tenure.nonce(), ceiling, before.version()));
        return written(tenure, ops) || found(tenure) ? Optional.of(tenure) : Optional.empty();
    }

    /** A slot that would have nothing to issue is left alone: another may be free, or come free, that serves sooner. */
    private static void refuseWhatCannotServe(Scheme<?> scheme, SlotPool pool, long floor, long ceiling, long micros) {
        if (floor > pool.unit().maxTick()) {
            throw Fencing.of(FenceReason.CEILING_PASSED, scheme.name() + " has no time left after tick " + (floor - 1));
        }
        if (floor > ceiling) {
            throw Waits.cooling(pool.unit().nanosUntil(floor, micros));
        }
    }

    private Tenure tenure(String scheme, SlotPool pool, long slot, String generation, Succession start, long ceiling) {
        long sent = clock.nanos();
        long end = sent + pool.longestTenure().map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
        Fence fence = new Fence(clock, start.floor(), ceiling, reservation.deadline(sent, store.sessionTimeout(), end));
        Instant acquiredAt = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        return new Tenure(
                scheme,
                pool,
                slot,
                UUID.randomUUID().toString(),
                store.session(),
                generation,
                acquiredAt,
                end,
                fence,
                start.open().apply(fence));
    }

    /** Whether the transaction gave a plain OK, on the session that the lease names. */
    private boolean written(Tenure tenure, List<Store.Op> ops) {
        long sent = clock.nanos();
        try {
            Store.Written written = store.multi(ops).get(0);
            judge.observe(written, sent);
            tenure.recordVersion(written.version());
            return store.session() == tenure.session();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NO_PERMISSION) {
                throw e;
            }
            return false; // the answer is lost, or was for a repeated attempt: reading back tells
        }
    }

    private boolean found(Tenure tenure) {
        try {
            Resolver.Finding found = resolver.find(tenure);
            tenure.recordVersion(found.recordVersion());
            if (!found.ours() && found.anythingOurs()) {
                unresolved.accept(tenure); // a repeated attempt made it on a session that came later
            }
            return found.ours();
        } catch (StoreException e) {
            unresolved.accept(tenure);
            throw e;
        }
    }

    /** The slot's record, made when there is none yet, so that every claim is conditional on a version. */
    private Store.Node record(SlotPool pool, long slot, Root.Seen meta, Terms terms, long micros) {
        String path = tree.record(pool, slot);
        Optional<Store.Node> record = store.read(path);
        if (record.isEmpty()) {
            store.sync(path); // a server that is behind may not know yet that there was one, and that it was deleted
            record = store.read(path);
        }
        if (record.isEmpty()) {
            make(path, firstRecord(pool, terms, micros), meta);
            record = store.read(path);
        }
        return record.orElseThrow(
                () -> new StoreException(StoreException.Kind.CONFLICT, path + " was removed while it was claimed"));
    }

    /** A slot without a record was never used, unless records were deleted, which nobody should. */
    private SlotRecord firstRecord(SlotPool pool, Terms terms, long micros) {
        boolean deleted = store.read(tree.records(pool))
                .filter(Store.Node::childrenDeleted)
                .isPresent();
        return deleted
                ? SlotRecord.lost(pool.unit(), reservation.aboveAll(pool.unit(), micros, terms))
                : SlotRecord.unused();
    }

    private void make(String path, SlotRecord first, Root.Seen meta) {
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        ops.add(new Store.Op.Create(path, Json.write(first), false));
        var unused = store.attempt(ops); // where another replica was first, its record does as well
    }

    private LeaseNode lease(Tenure tenure) {
        HeldSlot held = tenure.held(tree);
        return new LeaseNode(
                LeaseNode.VERSION,
                held.slot(),
                held.nonce(),
                replica.instance(),
                replica.host(),
                replica.pid(),
                replica.url(),
                "0x" + Long.toHexString(tenure.session()),
                held.acquiredAt(),
                held.reservedThrough());
    }
}
