package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.Fence;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Succession;
import org.idallocator.zk.lease.SlotRecords.Basis;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Outcome;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.LeaseNode;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Claims slots. In one transaction for all of them the leases appear and the records' ceilings rise, on condition that
 * each record is as it was read. Where somebody else was faster at one slot, the others are claimed without it.
 * {@link Succession} says where a tenure begins.
 *
 * <p>A tenure's deadline counts from before the transaction was sent. A claim whose answer is lost is read back.
 * Confined to the lease loop's thread.
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
     * Tries to claim slots, all of them under this meta, in one transaction.
     *
     * @return what came of each. Where the clock is off, all are refused. Where ZooKeeper has refused one of them,
     *     nothing was claimed, and of those that it did not refuse there is no result: they are to be tried again
     * @throws ChangedMeanwhileException when meta has changed, or ZooKeeper was silent for so long that the records may
     *     be of another history; nothing was claimed
     * @throws StoreException when ZooKeeper does not answer; the releaser has what may have been claimed
     */
    Map<WantedSlot, ClaimResult> claim(List<WantedSlot> all, Session session, Incarnation meta) {
        SlotRecords records = new SlotRecords(nodes, leaderClock);
        long begunNanos = clock.nanos(); // before the wall clock: the deadline is not to come after the ceiling
        long micros;
        try {
            micros = leaderClock.requireMicros();
            records.read(all);
            records.remakeLost(all, meta);
            all.forEach(wanted -> requireSameContact(wanted.contact()));
        } catch (FencedException clockIsOff) {
            return all.stream()
                    .collect(Collectors.toMap(wanted -> wanted, wanted -> ClaimResult.Refused.of(clockIsOff)));
        }
        Map<WantedSlot, ClaimResult> results = new HashMap<>();
        List<Claim> claims = new ArrayList<>();
        for (WantedSlot wanted : all) {
            ClaimResult.attempt(() -> {
                        Basis basis = records.basis(wanted.slot()); // throws where the record cannot be read
                        Prepared prepared = prepare(wanted, basis, session, begunNanos, micros);
                        if (prepared instanceof Claim claim) {
                            claims.add(claim);
                        } else if (prepared instanceof Useless useless) {
                            results.put(wanted, ClaimResult.Refused.of(useless.why()));
                        }
                    })
                    .ifPresent(refused -> results.put(wanted, refused));
        }
        if (!claims.isEmpty()) {
            results.putAll(send(claims, session, meta));
        }
        return results;
    }

    /** What was read is of the history in which the slots were chosen. */
    private void requireSameContact(Contact contact) {
        if (!leaderClock.isIn(contact)) {
            throw new ChangedMeanwhileException("ZooKeeper was silent for long while slots were chosen");
        }
    }

    /** What comes of preparing the claim of one slot. */
    private sealed interface Prepared {}

    /**
     * A claim that is ready to be sent.
     *
     * @param ceiling the last tick that it reserves, inclusive
     */
    private record Claim(WantedSlot wanted, Basis basis, Tenure tenure, long ceiling) implements Prepared {}

    /**
     * The slot would have nothing to issue for now, and is left alone: another may be free, or come free, that serves
     * sooner.
     */
    private record Useless(FencedException why) implements Prepared {}

    private Map<WantedSlot, ClaimResult> send(List<Claim> claims, Session session, Incarnation meta) {
        claims.forEach(claim ->
                releaser.add(claim.tenure())); // first: whatever breaks, what may have been claimed is released
        List<SlotWrite> writes = claims.stream().map(this::prepareWrite).toList();
        long sentNanos = clock.nanos();
        JointOutcome outcome = new JointWrite(nodes, meta, writes).send(session);
        if (outcome instanceof JointOutcome.Applied done) {
            return applied(claims, writes, done.outcome(), sentNanos);
        }
        claims.forEach(claim -> forget(claim.tenure()));
        return refused(claims, (JointOutcome.Refused) outcome);
    }

    /**
     * Where one slot is not allowed, probably the same holds for the others of its pool: they are not tried for now.
     */
    private static Map<WantedSlot, ClaimResult> refused(List<Claim> claims, JointOutcome.Refused outcome) {
        WantedSlot culprit = claims.get(outcome.write()).wanted();
        if (outcome instanceof JointOutcome.Forbidden forbidden) {
            SlotPool pool = culprit.slot().pool();
            ClaimResult refused = ClaimResult.Refused.of(forbidden.why());
            return claims.stream()
                    .map(Claim::wanted)
                    .filter(wanted -> wanted.slot().pool().equals(pool))
                    .collect(Collectors.toMap(wanted -> wanted, wanted -> refused));
        }
        return Map.of(culprit, new ClaimResult.Beaten());
    }

    private Map<WantedSlot, ClaimResult> applied(
            List<Claim> claims, List<SlotWrite> writes, Outcome.Applied outcome, long sentNanos) {
        Map<WantedSlot, ClaimResult> results = new HashMap<>();
        for (int i = 0; i < claims.size(); i++) {
            Tenure tenure = claims.get(i).tenure();
            RecordWrite made = writes.get(i).record().orElseThrow();
            tenure.record().confirm(made.leaves(), made.record());
            failures.forget(tenure.slot());
            results.put(claims.get(i).wanted(), new ClaimResult.Claimed(tenure));
        }
        if (outcome instanceof Outcome.Confirmed confirmed) {
            leaderClock.observe(confirmed, sentNanos);
        }
        return results;
    }

    /** The write that is to be sent next; the tenure knows it as its own from now on. */
    private SlotWrite prepareWrite(Claim claim) {
        Tree tree = nodes.tree();
        Grant grant = claim.tenure().grant();
        SlotRecord reserving = grant.reserving(claim.ceiling()).vouching(leaderClock.vouch());
        SlotRecord record = claim.tenure().record().noteSending(reserving, nodes);
        RecordWrite write =
                RecordWrite.of(tree, grant.slot(), record, claim.basis().version());
        List<Store.Op> ops = new ArrayList<>();
        ops.add(Generations.check(tree, grant.slot().pool(), grant.generation()));
        ops.add(Store.Op.Create.ephemeral(
                tree.lease(grant.slot()), Json.write(claim.tenure().lease())));
        ops.addAll(claim.basis().making());
        ops.add(write.op());
        return new SlotWrite(ops, Optional.of(write));
    }

    /** Nothing was claimed. */
    private void forget(Tenure tenure) {
        releaser.remove(tenure);
        tenure.forget();
    }

    private Prepared prepare(WantedSlot wanted, Basis basis, Session session, long begunNanos, long micros) {
        Slot slot = wanted.slot();
        long least = Math.max(wanted.firstTick(), issued.first(slot));
        if (rules.terms(slot.pool()).outlastRestore() && !isCold(slot, basis.record())) {
            long cold = basis.record().ceiling() + 1;
            return new Useless(LeaseRules.cooling(slot.unit().nanosUntil(cold, leaderClock.earliestMicros())));
        }
        Succession start = Succession.of(slot, basis.record(), least);
        if (start.leavesSnapshotAside()) {
            failures.tellOddity(slot, LEFT_ASIDE);
        }
        OptionalLong endNanos = slot.pool().longestTenure().stream()
                .mapToLong(longest -> begunNanos + longest.toNanos())
                .findFirst();
        long ceiling = start.ceiling(rules.ceiling(slot.pool(), micros, endNanos));
        if (start.floor() > ceiling) {
            return new Useless(nothingToIssue(slot, start.floor(), micros));
        }
        Tenure tenure = newTenure(
                wanted,
                session,
                begunNanos,
                endNanos,
                start,
                ceiling,
                basis.record().unknown());
        return rules.tooLong(tenure)
                .<Prepared>map(Useless::new)
                .orElseGet(() -> new Claim(wanted, basis, tenure, ceiling));
    }

    /**
     * Whether all that the record reserves is past, by ZooKeeper's time. Where windows are long, a backup with the
     * record of a tenure that is not past yet may come back: then that tenure is taken up, and whoever has claimed its
     * slot meanwhile is forgotten.
     */
    private boolean isCold(Slot slot, SlotRecord record) {
        return record.ceiling() < slot.unit().tickAt(leaderClock.earliestMicros());
    }

    /** Why a slot has nothing to issue of which the tenure would begin above what it may reserve. */
    private static FencedException nothingToIssue(Slot slot, long floor, long micros) {
        if (floor > slot.unit().maxTick()) {
            String used = slot.scheme().name() + " has no time left after tick " + (floor - 1);
            return FencedException.of(FenceReason.CEILING_PASSED, used);
        }
        return LeaseRules.cooling(slot.unit().nanosUntil(floor, micros));
    }

    /**
     * The tenure that the claim would begin. Its deadline counts from before the bits of the claim are drawn and it is
     * sent.
     */
    private Tenure newTenure(
            WantedSlot wanted,
            Session session,
            long begunNanos,
            OptionalLong endNanos,
            Succession start,
            long ceiling,
            Map<String, JsonNode> kept) {
        Slot slot = wanted.slot();
        long deadlineNanos = rules.deadlineNanos(slot.pool(), begunNanos, endNanos);
        Fence fence = new Fence(clock, start.floor(), ceiling, deadlineNanos);
        Instant acquiredAt = clock.instant();
        LeaseNode lease = LeaseNode.of(slot, UUID.randomUUID().toString(), replica, session.id(), acquiredAt);
        String generation = wanted.era().layout().node().generation();
        Grant grant = new Grant(slot, lease.nonce(), generation, endNanos, kept);
        return new Tenure(grant, lease, wanted.contact(), fence, start.open(fence));
    }
}
