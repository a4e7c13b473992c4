package org.idallocator.zk.operator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.Predicate;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generation;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.Incarnations;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.operator.OperatorAccess.Tried;
import org.idallocator.zk.settings.Terms;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.Transaction;
import org.idallocator.zk.znode.Floors;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.PoolTree;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.idallocator.zk.znode.Znodes.Found;

/**
 * Takes one slot out of its pool, or puts it back, see {@link ClusterView#retire} and {@link ClusterView#unretire}.
 * Each write depends on the record's version, on the incarnation, and on the generation: in another one the number may
 * mean other IDs. So what arrives late, after ZooKeeper was restored or the layout changed, changes nothing.
 *
 * <p>Putting back lowers a ceiling, as otherwise only a release does. That of a retired record is the last tick of the
 * scheme, and no tenure reserved it: the record keeps beside it until when tenures may issue. The new ceiling covers
 * that, and nobody has reserved anything since that was read.
 */
final class SlotRetirement {
    private final OperatorAccess access;
    private final Znodes nodes;
    private final Generations generations;
    private final Slot slot;
    private final TickUnit unit;
    private final String record;
    private final String name = UUID.randomUUID().toString(); // of whoever puts the slot back
    private Optional<LeaseNode> loser = Optional.empty(); // also from a try whose answer was lost
    private Optional<SlotRecord> sent = Optional.empty();

    SlotRetirement(OperatorAccess access, Slot slot) {
        this.access = access;
        this.nodes = access.nodes();
        this.generations = access.generations();
        this.slot = slot;
        this.unit = slot.unit();
        this.record = nodes.tree().record(slot);
    }

    /** {@code mayLose} says of each holder but {@link Holder.Nobody} whether it may lose the slot. */
    Retired retire(Predicate<Holder> mayLose) {
        LeaderClock leaderClock = access.newLeaderClock();
        // Nobody knows the terms of replicas that were lost with their root.
        Terms largest = access.settings().terms().orLarger(Terms.undeclared());
        Incarnations incarnations =
                new Incarnations(nodes, access.settings().clusterId(), largest.ahead(), leaderClock);
        return access.repeat(slot, () -> {
            Incarnation meta = incarnations.readOrBegin(Instant.EPOCH);
            Era era = new Era(meta, generations.readOrBegin(slot.pool(), meta, leaderClock));
            return tryRetire(era, leaderClock.askTimeToBegin(nodes), mayLose);
        });
    }

    private Tried<Retired> tryRetire(Era era, Instant now, Predicate<Holder> mayLose) {
        nodes.store().sync(record);
        Optional<Found<SlotRecord>> before = nodes.record(slot);
        Optional<Found<LeaseNode>> held =
                nodes.lease(slot); // after the record, which whoever claims from here on writes
        Holder holder = held.map(Holder::of).orElse(Holder.nobody());
        if (held.isPresent() && !mayLose.test(holder)) {
            throw new RefusedException(slot + " is held by " + holder.inWords() + " now; it was left alone");
        }
        loser = holder.lease().or(() -> loser);
        Optional<SlotRecord> found = before.flatMap(Found::replaceable);
        SlotRecord retired = nodes.withBits(SlotRecord.retired(unit, until(found, era, now))
                .keeping(found.map(SlotRecord::unknown).orElse(Map.of())));
        List<Store.Op> others = new ArrayList<>();
        held.ifPresent(lease -> others.add(new Store.Op.Delete(lease.path(), lease.version())));
        return Tried.sent(
                commit(era, before, retired, others), new Retired(loser.orElse(null), retired.reservedThrough()));
    }

    /** Writes the slot's record, together with others, while the era is as it was read. */
    private Outcome commit(Era era, Optional<Found<SlotRecord>> before, SlotRecord next, List<Store.Op> others) {
        Store.Op write = Znodes.over(record, before, next);
        List<Store.Op> ops = era.checks(nodes.tree(), slot.pool());
        ops.add(write);
        ops.addAll(others);
        return nodes.store().commit(Transaction.of(ops).witnessedBy(write, next.mark()));
    }

    /**
     * Until when tenures may issue: never less than the furthest that anybody can have reserved by now, because a
     * record may say too little that was edited or came back with a backup. More where the record says more, as after a
     * clock that was far ahead, or where the floor is ahead, below which earlier incarnations and generations reserved.
     */
    private Instant until(Optional<SlotRecord> before, Era era, Instant now) {
        Instant reserved = before.map(found -> found.reservedThrough(unit)).orElse(Instant.EPOCH);
        Duration farthest =
                era.layout().node().terms().orLarger(Terms.undeclared()).reach();
        return Floors.later(Floors.later(reserved, era.floor()), now.plus(farthest));
    }

    /**
     * Returns the start of the first tick that the slot's next tenure may issue in. Begins nothing: where there is no
     * era, nothing is retired.
     */
    Instant unretire(Instant usedUntil) {
        return access.repeat(slot, () -> {
            nodes.store().sync(record);
            Incarnation meta = Incarnations.present(nodes);
            Generation layout = Generations.read(nodes, slot.pool()).orElseThrow(this::notRetired);
            generations.requireAgreed(slot.pool(), layout.node());
            Era era = new Era(meta, layout);
            Tried<SlotRecord> tried = tryUnretire(era, usedUntil);
            long first = Math.max(tried.result().ceiling() + 1, era.firstTick(unit));
            return new Tried<>(tried.outcome(), unit.instantAt(first));
        });
    }

    private RefusedException notRetired() {
        return new RefusedException(slot + " is not retired; nothing was changed");
    }

    private Tried<SlotRecord> tryUnretire(Era era, Instant usedUntil) {
        Found<SlotRecord> before = nodes.record(slot).orElseThrow(this::notRetired);
        SlotRecord found = before.get();
        if (!found.isRetired()) {
            // Back as an earlier try without a plain answer wanted it, and perhaps claimed since. Or somebody else
            // has put the slot back, and not above all that was used.
            return Tried.nothing(
                    sent.filter(earlier -> found.ceiling() >= earlier.ceiling()).orElseThrow(this::notRetired));
        }
        SlotRecord next = putBack(found, ceiling(found, usedUntil));
        sent = Optional.of(next);
        return Tried.sent(commit(era, Optional.of(before), next, underOtherNames(next.ceiling(), usedUntil)), next);
    }

    /** The record of a slot that is retired no more: every tick up to {@code ceiling} stays reserved. */
    private SlotRecord putBack(SlotRecord retired, long ceiling) {
        return nodes.withBits(SlotRecord.unretired(unit, ceiling, name).keeping(retired.unknown()));
    }

    /**
     * Under a name of another length the slot would be retired again as soon as such a layout comes back. All names
     * come back above what any of them reserves, {@code least} or later, whatever that layout's floor will be.
     */
    private List<Store.Op> underOtherNames(long least, Instant usedUntil) {
        List<Store.Op> ops = new ArrayList<>();
        PoolTree pool = nodes.tree().pool(slot.pool());
        for (String name : nodes.store().children(pool.records())) {
            String path = pool.record(name);
            if (!path.equals(record)
                    && slot.pool().names().slotAtAnySize(name).equals(OptionalLong.of(slot.number()))) {
                Optional<Found<SlotRecord>> there = nodes.find(path, SlotRecord.class);
                there.flatMap(Found::replaceable)
                        .filter(SlotRecord::isRetired)
                        .map(retired -> putBack(retired, Math.max(least, ceiling(retired, usedUntil))))
                        .ifPresent(next -> ops.add(Znodes.over(path, there, next)));
            }
        }
        return ops;
    }

    /**
     * The last tick, inclusive, that tenures reserved before the slot was retired, or in which somebody issued
     * elsewhere.
     */
    private long ceiling(SlotRecord retired, Instant usedUntil) {
        Instant reserved = retired.reservedThrough(unit);
        Instant used = Floors.later(reserved, usedUntil);
        if (!used.isBefore(unit.instantAt(unit.maxTick()))) {
            throw new RefusedException(slot + " has no time left: all is used up to " + used + "; nothing was changed");
        }
        long issuedElsewhere = usedUntil.isAfter(Instant.EPOCH) ? unit.tickAt(Floors.microsUp(usedUntil)) : -1;
        return Math.max(-1, Math.max(unit.firstTickFrom(Floors.microsUp(reserved)) - 1, issuedElsewhere));
    }
}
