package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.clock.TickUnit;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Era;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
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
 * Claims slots. In one transaction for all of them the leases appear and the records' ceilings rise, on condition that each record is as
 * it was read. Where somebody else was faster at one slot, the others are claimed without it. {@link Succession} says where a tenure
 * begins.
 *
 * <p>A tenure's deadline counts from before the transaction was sent. A claim whose answer is lost is read back. Confined to the lease
 * loop's thread.
 */
final class Claimer {
    private static final String LEFT_ASIDE =
            "the snapshot in the record is left aside: it is none of this slot, or says more than was reserved";

    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final LeaseRules rules;
    private final Replica replica;
    private final Releaser releaser;
    private final IssuedTicks issued;
    private final RetryLog failures;

    /**
     * Claims nothing yet.
     *
     * @param leaderClock says whether {@code clock} may be trusted
     * @param replica whom the leases name
     * @param releaser has each tenure from before its claim is sent until it serves
     * @param issued says where no tenure may begin, because this process may have issued ticks there
     * @param failures tells of slots whose records say what cannot be
     */
    Claimer(
            Znodes nodes,
            Clock clock,
            LeaderClock leaderClock,
            LeaseRules rules,
            Replica replica,
            Releaser releaser,
            IssuedTicks issued,
            RetryLog failures) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
        this.rules = rules;
        this.replica = replica;
        this.releaser = releaser;
        this.issued = issued;
        this.failures = failures;
    }

    /**
     * A slot that is to be claimed.
     *
     * @param era the era of the slot's pool, found to be as configured
     */
    record Wanted(Slot slot, Era era) {}

    /**
     * Tries to claim slots, all of them under this meta, in one transaction.
     *
     * @return what came of each. Where ZooKeeper has refused one of them, nothing was claimed, and of those that it did not refuse there is
     *     no result: they are to be tried again
     * @throws FencedException when the clock is off; nothing was claimed
     * @throws ChangedMeanwhileException when meta has changed; nothing was claimed
     * @throws StoreException when ZooKeeper does not answer; the releaser has what may have been claimed
     */
    Map<Wanted, ClaimResult> claim(List<Wanted> all, Session session, Incarnation meta) {
        long micros = leaderClock.requireMicros();
        Map<Wanted, ClaimResult> results = new HashMap<>();
        Map<String, Store.Answer> read = read(all);
        makeRecords(all, read, meta);
        List<Claim> claims = new ArrayList<>();
        for (Wanted wanted : all) {
            try {
                claims.add(claim(wanted, before(wanted, read), session, micros));
            } catch (FencedException | StoreException | ChangedMeanwhileException e) {
                results.put(wanted, ClaimResult.Refused.of(e));
            }
        }
        if (!claims.isEmpty()) {
            results.putAll(send(claims, session, meta));
        }
        return results;
    }

    /**
     * A claim that is ready to be sent.
     *
     * @param ceiling the last tick that it reserves, inclusive
     */
    private record Claim(Wanted wanted, Before before, Tenure tenure, long ceiling) {}

    private Map<Wanted, ClaimResult> send(List<Claim> claims, Session session, Incarnation meta) {
        claims.forEach(claim ->
                releaser.add(claim.tenure())); // first: whatever breaks, what may have been claimed is released
        List<SlotWrite> writes = claims.stream().map(this::write).toList();
        long sentNanos = clock.nanos();
        JointOutcome outcome = new JointWrite(nodes, meta, writes).send(session);
        if (outcome instanceof JointOutcome.Applied done) {
            return applied(claims, writes, done.outcome(), sentNanos);
        }
        claims.forEach(claim -> forget(claim.tenure()));
        return refused(claims, (JointOutcome.Refused) outcome);
    }

    /** Where one slot is not allowed, probably the same holds for the others of its pool: they are not tried this time. */
    private static Map<Wanted, ClaimResult> refused(List<Claim> claims, JointOutcome.Refused outcome) {
        Wanted culprit = claims.get(outcome.write()).wanted();
        return outcome.forbidden()
                .map(ClaimResult.Refused::of)
                .<Map<Wanted, ClaimResult>>map(why -> claims.stream()
                        .map(Claim::wanted)
                        .filter(wanted ->
                                wanted.slot().pool().equals(culprit.slot().pool()))
                        .collect(Collectors.toMap(wanted -> wanted, wanted -> why)))
                .orElseGet(() -> Map.of(culprit, new ClaimResult.Beaten()));
    }

    private Map<Wanted, ClaimResult> applied(
            List<Claim> claims, List<SlotWrite> writes, Outcome.Applied outcome, long sentNanos) {
        Map<Wanted, ClaimResult> results = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            Tenure tenure = claims.get(i).tenure();
            RecordWrite made = writes.get(i).record().orElseThrow();
            tenure.record().settle(made.leaves(), made.record());
            failures.forget(tenure.slot());
            results.put(claims.get(i).wanted(), new ClaimResult.Claimed(tenure));
        }
        if (!outcome.readBack()) {
            leaderClock.observe(outcome.written().get(0), sentNanos);
        }
        return results;
    }

    private SlotWrite write(Claim claim) {
        Tree tree = nodes.tree();
        Grant grant = claim.tenure().grant();
        SlotRecord record = claim.tenure().record().note(nodes.withBits(grant.reserving(claim.ceiling())));
        RecordWrite write =
                RecordWrite.of(tree, grant.slot(), record, claim.before().version());
        List<Store.Op> ops = new ArrayList<>();
        ops.add(Generations.check(tree, grant.slot().pool(), grant.generation()));
        ops.add(new Store.Op.Create(tree.lease(grant.slot()), Json.write(grant.lease()), true));
        ops.addAll(claim.before().making());
        ops.add(write.op());
        return new SlotWrite(ops, Optional.of(write));
    }

    /** Nothing was claimed. */
    private void forget(Tenure tenure) {
        releaser.remove(tenure);
        tenure.forget();
    }

    private Claim claim(Wanted wanted, Before before, Session session, long micros) {
        Slot slot = wanted.slot();
        long least = Math.max(wanted.era().firstTick(slot.unit()), issued.first(slot));
        Succession start = Succession.of(slot, before.record(), least);
        if (start.leftAside()) {
            failures.tellFailure(slot, new StoreException(StoreException.Kind.MALFORMED, LEFT_ASIDE));
        }
        long ceiling = Math.max(start.leastCeiling(), rules.ceiling(slot.unit(), micros));
        refuseWhatCannotServe(slot, start.floor(), ceiling, micros);
        Tenure tenure = tenure(wanted, session, start, ceiling, before.record().unknown());
        rules.tooLong(tenure).ifPresent(why -> {
            throw why;
        });
        return new Claim(wanted, before, tenure, ceiling);
    }

    /** Leaves a slot alone that would have nothing to issue: another may be free, or come free, that serves sooner. */
    private static void refuseWhatCannotServe(Slot slot, long floor, long ceiling, long micros) {
        if (floor > ceiling) {
            String used = slot.scheme().name() + " has no time left after tick " + (floor - 1);
            throw floor > slot.unit().maxTick()
                    ? FencedException.of(FenceReason.CEILING_PASSED, used)
                    : LeaseRules.cooling(slot.unit().nanosUntil(floor, micros));
        }
    }

    /** The tenure that the claim would begin. Its deadline counts from now, before the claim is sent. */
    private Tenure tenure(Wanted wanted, Session session, Succession start, long ceiling, Map<String, JsonNode> kept) {
        Slot slot = wanted.slot();
        long sentNanos = clock.nanos();
        long endNanos =
                sentNanos + slot.pool().longestTenure().map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
        long deadlineNanos = rules.deadlineNanos(sentNanos, session.timeout(), endNanos);
        Fence fence = new Fence(clock, start.floor(), ceiling, deadlineNanos);
        Instant acquiredAt = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        LeaseNode lease = LeaseNode.of(slot, UUID.randomUUID().toString(), replica, session.id(), acquiredAt);
        String generation = wanted.era().layout().node().generation();
        Grant grant = new Grant(slot, lease, session, generation, endNanos, kept);
        return new Tenure(grant, fence, start.open().apply(fence));
    }

    /**
     * What a claim goes on from.
     *
     * @param record what the slot's record held, or is to hold first
     * @param version the version that the claim's write of the record is conditional on
     * @param making what the claim has to do before that; empty where there is a record
     */
    private record Before(SlotRecord record, int version, List<Store.Op> making) {

        static Before of(Znodes.Found<SlotRecord> found) {
            return new Before(found.get(), found.version(), List.of());
        }
    }

    /**
     * The records of slots. Where one is missing, it is read again after a sync, because a server that is behind may not know yet that a
     * record was made and deleted. Where it still is, whether any record of its pool was deleted is read after that: so a record that is
     * deleted in between is not taken for one that never was. Nothing helps against who deletes lease and record after that, as nobody
     * should.
     */
    private Map<String, Store.Answer> read(List<Wanted> all) {
        Tree tree = nodes.tree();
        Map<String, Store.Answer> read = new HashMap<>();
        List<Slot> slots = all.stream().map(Wanted::slot).toList();
        read(slots.stream().map(tree::record).toList(), read);
        List<Slot> missing = missing(slots, read);
        if (!missing.isEmpty()) {
            nodes.store().sync(tree.record(missing.get(0)));
            read(missing.stream().map(tree::record).toList(), read);
            List<Slot> stillMissing = missing(missing, read);
            read(
                    stillMissing.stream()
                            .map(slot -> tree.records(slot.pool()))
                            .distinct()
                            .toList(),
                    read);
        }
        return read;
    }

    private List<Slot> missing(List<Slot> slots, Map<String, Store.Answer> read) {
        return slots.stream()
                .filter(slot -> isMissing(found(read, nodes.tree().record(slot))))
                .toList();
    }

    private void read(List<String> paths, Map<String, Store.Answer> read) {
        if (paths.isEmpty()) {
            return;
        }
        List<Store.Answer> answers = nodes.store().readAll(paths);
        for (int i = 0; i < paths.size(); i++) {
            read.put(paths.get(i), answers.get(i));
        }
    }

    private static boolean isMissing(Store.Answer answer) {
        return answer.node().isEmpty() && answer.refused().isEmpty();
    }

    private static Store.Answer found(Map<String, Store.Answer> read, String path) {
        return Objects.requireNonNull(read.get(path));
    }

    /**
     * The slot's record. Where there is none, and the slot was never used, the claim itself makes the record: its transaction
     * is conditional on there being none, as it else is on the record's version, and a start of many replicas takes a third
     * fewer writes.
     */
    private Before before(Wanted wanted, Map<String, Store.Answer> read) {
        String path = nodes.tree().record(wanted.slot());
        Optional<Store.Node> there = found(read, path).get();
        if (there.isPresent()) {
            return Before.of(nodes.found(path, there.get(), SlotRecord.class));
        }
        if (mayHaveBeenUsed(wanted, read)) {
            throw new ChangedMeanwhileException(path + " was removed while it was claimed");
        }
        SlotRecord first = nodes.withBits(SlotRecord.unused());
        return new Before(SlotRecord.unused(), 0, List.of(new Store.Op.Create(path, Json.write(first), false)));
    }

    /** Whether the slot has no record, and may have been used all the same: somebody deleted records of its pool, as nobody should. */
    private boolean mayHaveBeenUsed(Wanted wanted, Map<String, Store.Answer> read) {
        Slot slot = wanted.slot();
        return isMissing(found(read, nodes.tree().record(slot)))
                && found(read, nodes.tree().records(slot.pool()))
                        .node()
                        .filter(Store.Node::childrenDeleted)
                        .isPresent();
    }

    /**
     * Makes the records of slots that may have been used, before they are claimed, which may well be refused: what the records reserve has
     * to pass by from now on, and not from the next try. Where another replica was faster with one of them, none is made this time.
     */
    private void makeRecords(List<Wanted> all, Map<String, Store.Answer> read, Incarnation meta) {
        List<Wanted> lost =
                all.stream().filter(wanted -> mayHaveBeenUsed(wanted, read)).toList();
        if (lost.isEmpty()) {
            return;
        }
        long micros = leaderClock.requireMicros(); // anew: others may have reserved since anything was read
        List<Store.Op> ops = meta.checks(nodes.tree());
        for (Wanted wanted : lost) {
            SlotRecord first = nodes.withBits(firstRecord(wanted, micros));
            ops.add(new Store.Op.Create(nodes.tree().record(wanted.slot()), Json.write(first), false));
        }
        var unused = nodes.store().send(Transaction.of(ops)).applied(); // what is there now will do
        read(lost.stream().map(wanted -> nodes.tree().record(wanted.slot())).toList(), read);
    }

    /**
     * A slot without a record was never used, unless somebody deleted records, as nobody should. Whoever used the slot may be cut
     * off then and serve on, so all that may have been reserved is reserved again.
     */
    private SlotRecord firstRecord(Wanted wanted, long micros) {
        TickUnit unit = wanted.slot().unit();
        long ceiling = rules.aboveAll(unit, micros, wanted.era().layout().node().terms());
        return SlotRecord.released(unit, ceiling, "lost");
    }
}
