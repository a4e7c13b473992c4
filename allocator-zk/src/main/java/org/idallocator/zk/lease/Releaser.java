package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.era.Succession;
import org.idallocator.zk.lease.ReadBack.Settlement;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Releases the tenures that ended, on whatever session they were claimed. Issuing ends first; then one transaction,
 * conditional on the record's version, sets the record down to the last tick that was used and deletes the lease. The
 * next tenure may start on the very next tick, or go on from what the generator left ({@link Succession}). Where an
 * operator or an expired session took record or lease, the transaction leaves that one alone. Where a stranger wrote a
 * record that reserves less than was used, or a copy of this process renewed it, the transaction raises it to what is
 * used or reserved: so no other tenure begins below. Where the pool has another generation meanwhile, it leaves the
 * record alone, all of which lies below the new floor. Of a tenure whose claim was never made, nothing is released.
 * Confined to the lease loop's thread.
 */
final class Releaser {
    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final IssuedTicks issued;
    private final RetryLog failures;
    private final TenureReader reader;
    private final Set<Tenure> toRelease = new LinkedHashSet<>();
    private final Set<Tenure> setAside = new LinkedHashSet<>(); // of those, what was refused
    private final Map<Tenure, FencedException> forbidden = new LinkedHashMap<>(); // of those, what is not allowed
    private long againNanos; // when the next of those that are set aside is due

    /**
     * Has nothing to release.
     *
     * @param leaderClock says since when ZooKeeper has lost nothing
     * @param issued hears what becomes of each tenure
     * @param failures tells of what ZooKeeper does not allow of single tenures
     */
    Releaser(Znodes nodes, Clock clock, LeaderClock leaderClock, IssuedTicks issued, RetryLog failures) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
        this.issued = issued;
        this.failures = failures;
        this.reader = new TenureReader(nodes);
        this.againNanos = clock.nanos();
    }

    /** Adds a tenure that does not serve, and may have a lease or a record in ZooKeeper. */
    void add(Tenure tenure) {
        toRelease.add(tenure);
    }

    /** The tenure serves after all, or has left nothing. */
    void remove(Tenure tenure) {
        toRelease.remove(tenure);
        setAside.remove(tenure);
        forbidden.remove(tenure);
    }

    List<Tenure> tenures() {
        return List.copyOf(toRelease);
    }

    /** Releases none of them: their leases end with their session. */
    void giveUp() {
        for (Tenure tenure : tenures()) {
            tenure.close();
            forget(tenure, false);
            LeaseLog.abandoned(tenure);
        }
    }

    /** Nothing of a closed tenure is left to release; {@code inOrder} where its record says what it used. */
    private void forget(Tenure tenure, boolean inOrder) {
        remove(tenure);
        tenure.forget();
        issued.remove(tenure, inOrder);
        failures.forget(tenure);
    }

    /**
     * How long {@link #release} may wait: 0 where there is a tenure that was not refused yet, else {@link Task#NEVER}.
     */
    long nanosUntilDue() {
        return setAside.containsAll(toRelease) ? Task.NEVER : 0;
    }

    /** How long {@link #releaseSetAside} may wait; {@link Task#NEVER} where nothing was refused. */
    long nanosUntilSetAside() {
        return setAside.isEmpty() ? Task.NEVER : Math.max(0, againNanos - clock.nanos());
    }

    /** What ZooKeeper does not allow of single slots, with their names; empty where it has refused nothing. */
    Optional<FencedException> hindrance() {
        return forbidden.values().stream().findFirst().map(first -> {
            String all = forbidden.entrySet().stream()
                    .map(each -> each.getKey().slot() + ": " + each.getValue().getMessage())
                    .collect(Collectors.joining("; "));
            return new FencedException(first.reason(), all, first.retryAfter());
        });
    }

    /**
     * Releases all of them together, but those that were refused. A slot that is not ours any more needs nothing,
     * unless its record has been forged. Where ZooKeeper refuses one, nothing is released: that one is set aside, and
     * the others are due again.
     *
     * @param meta as it was before: a late release could lower a ceiling of after a restore
     * @throws org.idallocator.zk.store.ChangedMeanwhileException when meta has changed
     * @throws StoreException when ZooKeeper does not answer
     */
    void release(Session session, Incarnation meta) {
        toRelease.removeIf(
                tenure -> tenure.phase() == Phase.SERVING); // a step broke off right after it had begun to serve
        release(toRelease.stream().filter(tenure -> !setAside.contains(tenure)).toList(), session, meta);
    }

    /**
     * The same of the one that was set aside first, by itself: however many there are, they keep nothing else waiting
     * for long.
     */
    void releaseSetAside(Session session, Incarnation meta) {
        Tenure first = setAside.iterator().next();
        setAside.remove(first);
        forbidden.remove(first);
        release(List.of(first), session, meta);
        if (setAside.contains(first)) {
            againNanos = clock.nanos() + LeaseLoop.RETRY.toNanos();
        }
    }

    private void release(List<Tenure> tenures, Session session, Incarnation meta) {
        tenures.forEach(Tenure::close); // first: no tick above the one that the record goes down to can be issued
        List<Ending> endings = new ArrayList<>();
        reader.readBack(tenures, this::forbid).forEach((tenure, found) -> endings.add(Ending.of(tenure, found)));
        endings.stream().filter(ending -> !ending.leavesSomething()).forEach(this::endGone);
        send(endings.stream().filter(Ending::leavesSomething).toList(), session, meta);
    }

    private void send(List<Ending> endings, Session session, Incarnation meta) {
        if (endings.isEmpty()) {
            return;
        }
        List<SlotWrite> writes = endings.stream().map(this::prepareWrite).toList();
        JointOutcome outcome = new JointWrite(nodes, meta, writes).send(session);
        if (outcome instanceof JointOutcome.Forbidden refused) {
            forbid(endings.get(refused.write()).tenure(), refused.why());
        } else if (outcome instanceof JointOutcome.Misfit refused) {
            setAside.add(endings.get(refused.write()).tenure());
        } else {
            endings.forEach(this::endReleased);
        }
    }

    /** A tenure that is closed, and what was just read back of its slot. */
    private record Ending(Tenure tenure, ReadBack found, Settlement settlement, boolean claimed) {

        static Ending of(Tenure tenure, ReadBack found) {
            return new Ending(tenure, found, found.settlement(tenure), found.wasClaimed(tenure));
        }

        /** Whether there is anything to release. */
        boolean leavesSomething() {
            return settlement == Settlement.RAISE || found.hasRecordOf(tenure) || found.hasLeaseOf(tenure);
        }
    }

    /** Ends a tenure that was released just now. */
    private void endReleased(Ending ending) {
        Tenure tenure = ending.tenure();
        if (ending.settlement() == Settlement.RAISE) {
            ReadBack found = ending.found();
            LeaseLog.raised(
                    tenure,
                    found.record().orElseThrow().get(),
                    found.author(tenure).orElseThrow());
        }
        end(ending, ending.settlement() == Settlement.SET_DOWN);
    }

    /** Ends a tenure of which nothing is left to release, by what was read back. */
    private void endGone(Ending ending) {
        end(ending, ending.tenure().record().hasReleased() && ending.found().isAsLeft(ending.tenure()));
    }

    /** {@code inOrder}: whoever follows knows the tenure's ticks by its record. */
    private void end(Ending ending, boolean inOrder) {
        forget(ending.tenure(), inOrder);
        if (ending.claimed()) {
            LeaseLog.released(ending.tenure());
        }
    }

    /**
     * ZooKeeper does not let this client read or write a node of the slot. Probably the same holds for the other slots
     * of the pool: they are set aside, too.
     */
    private void forbid(Tenure tenure, StoreException why) {
        setAside.add(tenure);
        toRelease.stream()
                .filter(other -> other.slot().pool().equals(tenure.slot().pool()))
                .forEach(setAside::add);
        forbidden.put(tenure, why.fenced());
        failures.tellFailure(tenure, why);
    }

    /** The write that is to be sent next. Where it sets the record down, the tenure knows it as its own from now on. */
    private SlotWrite prepareWrite(Ending ending) {
        Tree tree = nodes.tree();
        Tenure tenure = ending.tenure();
        ReadBack read = ending.found();
        Optional<RecordWrite> write = prepareRecord(ending)
                .map(left ->
                        RecordWrite.of(tree, tenure.slot(), left, read.version().orElseThrow()));
        List<Store.Op> ops = new ArrayList<>();
        if (read.generationThere()) {
            ops.add(Generations.check(tree, tenure.slot().pool(), tenure.grant().generation()));
        }
        if (write.isPresent()) {
            ops.add(write.get().op());
        } else if (read.version().isPresent()) { // else the lease may be a successor's
            ops.add(new Store.Op.Check(
                    tree.record(tenure.slot()), read.version().getAsInt()));
        }
        if (read.hasLeaseOf(tenure)) {
            ops.add(Store.Op.Delete.whateverVersion(tree.lease(tenure.slot())));
        }
        return new SlotWrite(ops, write);
    }

    /** The record as it is to be sent; empty where it stays as it is. */
    private Optional<SlotRecord> prepareRecord(Ending ending) {
        Tenure tenure = ending.tenure();
        return switch (ending.settlement()) {
            case SET_DOWN ->
                Optional.of(tenure.record().noteSending(setDown(tenure).vouching(leaderClock.vouch()), nodes));
            case RAISE ->
                Optional.of(unnoted(
                        raised(tenure, ending.found().record().orElseThrow().get())));
            case LEAVE -> Optional.empty();
        };
    }

    /**
     * A raised record as it is to be sent. The tenure does not note it as its own: else, where the answer is lost and
     * the record is read back, the tenure would count as ended in order, and this process would forget what it has
     * issued.
     */
    private SlotRecord unnoted(SlotRecord raised) {
        return nodes.withBits(raised);
    }

    /**
     * What takes the place of a forged record. It has no snapshot: others may have used ticks that the tenure knows
     * nothing of.
     */
    private static SlotRecord raised(Tenure tenure, SlotRecord forged) {
        long ceiling = Math.max(tenure.lastUsedTick().orElse(-1), forged.ceiling());
        return SlotRecord.released(tenure.slot().unit(), ceiling, tenure.nonce())
                .keeping(forged.unknown());
    }

    /** The record of a tenure that ended in order. */
    private static SlotRecord setDown(Tenure tenure) {
        SlotRecord released = tenure.grant().leaving(tenure.endTick());
        Optional<JsonNode> snapshot = tenure.lastUsedTick().isEmpty()
                ? Optional.empty()
                : tenure.generator().handover().map(Json::tree);
        return snapshot.map(left -> released.with(tenure.fence().floorTick(), left))
                .orElse(released);
    }
}
