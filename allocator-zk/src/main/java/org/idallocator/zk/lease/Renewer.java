package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.era.Contact;
import org.idallocator.zk.era.Generations;
import org.idallocator.zk.era.Incarnation;
import org.idallocator.zk.era.LeaderClock;
import org.idallocator.zk.store.Outcome.Applied;
import org.idallocator.zk.store.Outcome.Confirmed;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;

/**
 * Moves the ceilings of all tenures on in one transaction, and their deadlines with it: at least four times while a
 * ceiling or a session would last, so that three renewals may fail. A new ceiling counts only after its write was
 * confirmed, and then for each slot, whatever breaks right after. Where one slot is refused, its tenure's fence trips
 * if the slot is no longer ours, and the others are renewed all the same. On a new session, the renewal also makes the
 * leases anew, of slots whose records are as their tenures have left them. After a long silence of ZooKeeper, too, only
 * such slots are renewed. Confined to the lease loop's thread.
 */
final class Renewer {
    private final Znodes nodes;
    private final Clock clock;
    private final LeaderClock leaderClock;
    private final LeaseRules rules;
    private final ReplicaSlots held;
    private final Set<SlotKeeper> setAside = new LinkedHashSet<>(); // those that are to be renewed by themselves
    private final Verifier verifier;
    private final RenewalTries tries = new RenewalTries();
    private long periodNanos;
    private long renewedNanos;
    private long againNanos; // the next is not due before, where one was not confirmed

    /**
     * Renews nothing yet.
     *
     * @param leaderClock says whether {@code clock} may be trusted
     * @param held has the tenures that are renewed, and counters for that
     * @param verifier finds out which slots are no longer this replica's, where one was refused
     */
    Renewer(
            Znodes nodes,
            Clock clock,
            LeaderClock leaderClock,
            LeaseRules rules,
            ReplicaSlots held,
            Verifier verifier) {
        this.nodes = nodes;
        this.clock = clock;
        this.leaderClock = leaderClock;
        this.rules = rules;
        this.held = held;
        this.verifier = verifier;
        this.renewedNanos = clock.nanos();
        this.againNanos = renewedNanos;
    }

    /**
     * From now on this session serves: tenures that are held on an earlier one are to be taken up at once. All are
     * renewed as often as this one needs, whose timeout may be shorter than the window.
     */
    void goOnWith(Session session) {
        periodNanos = rules.renewalPeriod(held.pools(), session.timeout()).toNanos();
        if (!serving().isEmpty()) {
            renewedNanos = clock.nanos() - periodNanos;
        }
    }

    /** How long {@link #renew} may wait; 0 when it is due. */
    long nanosUntilDue() {
        long now = clock.nanos();
        return Math.max(0, Math.max(renewedNanos + periodNanos - now, againNanos - now));
    }

    /**
     * Renews the tenures that serve. Those that are held on an earlier session are taken up on this one: their leases
     * are made anew. Fences may trip.
     *
     * @throws NoneMayServeException {@code CLOCK_SKEW}, with nothing written
     * @throws org.idallocator.zk.store.ChangedMeanwhileException when meta has changed
     * @throws StoreException when ZooKeeper does not answer; the deadlines stay as they are
     */
    void renew(Session session, Incarnation meta) {
        List<SlotKeeper> serving =
                serving().stream().filter(keeper -> !setAside.contains(keeper)).toList();
        if (sendAll(serving, true, session, meta) == Ended.CONFIRMED) {
            renewedNanos = clock.nanos();
            tries.end();
        } else {
            againNanos = clock.nanos() + LeaseLoop.RETRY.toNanos();
        }
    }

    /** How long {@link #renewSetAside} may wait; {@link Task#NEVER} where all are renewed together. */
    long nanosUntilSetAside() {
        return setAside.isEmpty() ? Task.NEVER : Math.max(0, againNanos - clock.nanos());
    }

    /**
     * Renews one slot of a pool that has more trouble than with one slot, by itself. Throws what {@link #renew} throws.
     */
    void renewSetAside(Session session, Incarnation meta) {
        SlotKeeper one = setAside.iterator().next();
        setAside.remove(one);
        setAside.add(one); // behind the others, until that is confirmed
        if (one.tenure().isEmpty() || sendAll(List.of(one), false, session, meta) == Ended.CONFIRMED) {
            setAside.remove(one);
        } else {
            againNanos = clock.nanos() + LeaseLoop.RETRY.toNanos();
        }
        tries.endTry();
    }

    /**
     * Sends one renewal of these; counts it as failed where ZooKeeper does not answer. Returns what
     * {@link Renewal#send} returns.
     */
    private Ended sendAll(List<SlotKeeper> keepers, boolean together, Session session, Incarnation meta) {
        try {
            return new Renewal(keepers, together, session).send(meta);
        } catch (StoreException e) {
            keepers.forEach(tries::countFailed);
            tries.noteTrouble(e.kind());
            throw e;
        }
    }

    private List<SlotKeeper> serving() {
        return held.keepers().stream()
                .filter(keeper -> keeper.tenure().isPresent())
                .toList();
    }

    /**
     * Ends the try that is under way, because a step has failed before all was renewed. Where a renewal was due, it
     * counts as failed, but for the tenures of which it was counted already: it is tried again in the next step. Those
     * that are renewed then are told of, and counted apart.
     *
     * @param kind why ZooKeeper gave no plain answer; empty where the step has failed otherwise
     */
    void endFailedTry(Optional<StoreException.Kind> kind) {
        List<SlotKeeper> serving = serving();
        if (nanosUntilDue() == 0 && !serving.isEmpty()) {
            serving.forEach(tries::countFailed);
            kind.ifPresent(tries::noteTrouble);
        }
        tries.endTry();
    }

    /** How a renewal has ended of which ZooKeeper has answered something. */
    private enum Ended {
        /** What was not left out is renewed, and ZooKeeper has said so. What was left out is renewed with the next. */
        CONFIRMED,
        /** The same, but only reading back says so: deadlines have not moved, and the next renewal is to come soon. */
        FOUND_APPLIED
    }

    /**
     * The renewal of one slot, as it is sent. {@code made} is the write of its record, which is among those of
     * {@code write}.
     */
    private record Reservation(SlotKeeper keeper, Tenure tenure, RecordWrite made, SlotWrite write) {}

    private static boolean isFenced(SlotKeeper keeper) {
        return keeper.tenure().orElseThrow().fence().trippedFor() != null;
    }

    /** One renewal, of all tenures that serve or of one of them. */
    private final class Renewal {
        private final Session session;
        private final boolean together;
        private final List<SlotKeeper> left; // those that are to be renewed yet
        private final Set<SlotKeeper> refused = new HashSet<>();
        private final Map<Tenure, ReadBack> found = new HashMap<>(); // what was read back of them, as it was found last
        private boolean verified; // all of them were read back in this renewal

        /** {@code together}: whether the slots of a pool may be set aside. */
        Renewal(List<SlotKeeper> serving, boolean together, Session session) {
            this.left = new ArrayList<>(serving);
            this.together = together;
            this.session = session;
        }

        /** Sends them together until they are renewed, or left out. */
        Ended send(Incarnation meta) {
            readBackThoseFromBefore();
            while (!left.isEmpty()) {
                // time is read before the bits of the writes are drawn: a copy of this process that is made later has
                // others; monotonic time first: the deadline is not to come after the ceiling
                long sentNanos = clock.nanos();
                long micros = requireMicros();
                List<Reservation> reservations =
                        left.stream().map(keeper -> reserve(keeper, micros)).toList();
                List<SlotWrite> writes =
                        reservations.stream().map(Reservation::write).toList();
                JointOutcome outcome = new JointWrite(nodes, meta, writes).send(session);
                if (outcome instanceof JointOutcome.Applied done) {
                    extendAll(reservations, done.outcome(), sentNanos);
                    return done.outcome() instanceof Confirmed ? Ended.CONFIRMED : Ended.FOUND_APPLIED;
                }
                leaveOutRefused((JointOutcome.Refused) outcome);
            }
            return Ended.CONFIRMED;
        }

        /**
         * Those that an earlier session held, and those of which nothing is known in this contact, go on only where
         * their slots are as they have left them.
         */
        private void readBackThoseFromBefore() {
            if (left.isEmpty()) {
                return;
            }
            Contact contact = leaderClock.makeContact(nodes);
            List<Tenure> fromBefore = tenures().stream()
                    .filter(tenure -> !tenure.isOn(session) || !tenure.isIn(contact))
                    .toList();
            if (!fromBefore.isEmpty()) {
                found.putAll(verifier.verify(fromBefore, session));
                leaveOut(Renewer::isFenced);
            }
        }

        /**
         * Prepares what one slot is to write, up to a new ceiling. No two of them have the same bits, and the tenure
         * knows its own from now on.
         */
        private Reservation reserve(SlotKeeper keeper, long micros) {
            Tenure tenure = keeper.tenure().orElseThrow();
            Slot slot = tenure.slot();
            Tree tree = nodes.tree();
            long now = rules.ceiling(slot.pool(), micros, tenure.grant().endNanos());
            long ceiling = Math.max(tenure.fence().ceilingTick(), now);
            SlotRecord reserving = tenure.grant().reserving(ceiling).vouching(leaderClock.vouch());
            SlotRecord record = tenure.record().noteSending(reserving, nodes);
            int version = tenure.record().version().orElseThrow();
            RecordWrite made = RecordWrite.of(tree, slot, record, version);
            List<Store.Op> ops = new ArrayList<>();
            ops.add(Generations.check(tree, slot.pool(), tenure.grant().generation()));
            ops.addAll(holding(tenure));
            ops.add(made.op());
            return new Reservation(keeper, tenure, made, new SlotWrite(ops, Optional.of(made)));
        }

        /** The lease is there; of a tenure that an earlier session held, it is made anew. */
        private List<Store.Op> holding(Tenure tenure) {
            String lease = nodes.tree().lease(tenure.slot());
            if (tenure.isOn(session)) {
                return List.of(Store.Op.Check.exists(lease));
            }
            Stream<Store.Op> removed = Objects.requireNonNull(found.get(tenure)).lease().stream()
                    .map(left -> new Store.Op.Delete(lease, left.version()));
            Store.Op made =
                    Store.Op.Create.ephemeral(lease, Json.write(tenure.lease().on(session.id())));
            return Stream.concat(removed, Stream.of(made)).toList();
        }

        /** The time by which all of them are renewed. Where the clock is off, none may serve. */
        private long requireMicros() {
            try {
                return leaderClock.requireMicros();
            } catch (FencedException clockIsOff) {
                throw new NoneMayServeException(clockIsOff);
            }
        }

        /** Ceilings may rise whenever their write was applied; deadlines move on a plain OK alone. */
        private void extendAll(List<Reservation> reservations, Applied outcome, long sentNanos) {
            List<Runnable> extending = new ArrayList<>();
            for (Reservation each : reservations) {
                extending.add(() -> takeUp(each.tenure()));
                extending.add(() -> extend(each.tenure(), each.made(), outcome, sentNanos));
            }
            if (outcome instanceof Confirmed confirmed) {
                extending.add(() -> leaderClock.observe(confirmed, sentNanos));
                reservations.forEach(each -> extending.add(() -> countConfirmed(each.keeper(), sentNanos)));
            } else {
                tries.noteTrouble(StoreException.Kind.NO_ANSWER);
            }
            doAll(extending);
        }

        private void takeUp(Tenure tenure) {
            if (!tenure.isOn(session)) {
                tenure.takeUp(session);
                LeaseLog.takenUp(tenure);
            }
        }

        private void extend(Tenure tenure, RecordWrite made, Applied outcome, long sentNanos) {
            if (outcome instanceof Confirmed) {
                long deadlineNanos = rules.deadlineNanos(
                        tenure.slot().pool(), sentNanos, tenure.grant().endNanos());
                tenure.confirm(made.leaves(), made.record(), deadlineNanos);
            } else {
                tenure.confirm(made.leaves(), made.record());
            }
        }

        private void countConfirmed(SlotKeeper keeper, long sentNanos) {
            tries.countConfirmed(keeper, clock.nanos() - sentNanos, !refused.isEmpty());
        }

        /**
         * The write of one slot is not allowed, or does not fit. Where the lease or the generation is gone, that is
         * known of one slot, and the others are sent once more. Else the record may be this replica's all the same: an
         * earlier renewal was applied, and nobody heard of that, for all slots as for this one. So all are read back
         * then. Where a third slot of a pool is refused after that, or one that this client may not write, the other
         * slots of the pool are renewed one by one, after those of other pools.
         */
        private void leaveOutRefused(JointOutcome.Refused refusal) {
            SlotKeeper keeper = left.get(refusal.write());
            Tenure tenure = keeper.tenure().orElseThrow();
            boolean known = refused.contains(keeper);
            long before = refused.stream().filter(keeper::isBeside).count();
            refused.add(keeper);
            if (refusal instanceof JointOutcome.Forbidden forbidden) {
                tenure.fence().trip(forbidden.why().fenced());
            } else if (before == 0
                    && refusal instanceof JointOutcome.Misfit misfit
                    && misfit.op() instanceof Store.Op.Check) {
                tenure.fence().trip(whatIsGone(tenure, misfit.op()), tenure.toString());
            } else if (!known) {
                found.putAll(verifier.verify(verified ? List.of(tenure) : tenures(), session));
                verified = true;
            }
            tenures().forEach(each -> each.fence().tripIfOverdue());
            if (known && together && !isFenced(keeper)) {
                setAside.add(keeper); // its deadline may be near, as where it is taken up
            }
            leaveOut(each -> isFenced(each) || (known && each == keeper));
            if (together && (before > 1 || refusal instanceof JointOutcome.Forbidden)) {
                List<SlotKeeper> others = left.stream().filter(keeper::isBeside).toList();
                setAside.addAll(others);
                left.removeAll(others);
            }
        }

        /** These are not renewed this time. */
        private void leaveOut(Predicate<SlotKeeper> which) {
            List<SlotKeeper> out = left.stream().filter(which).toList();
            out.forEach(tries::countFailed);
            left.removeAll(out);
        }

        private FenceReason whatIsGone(Tenure tenure, Store.Op op) {
            boolean lease = op.path().equals(nodes.tree().lease(tenure.slot()));
            return lease ? FenceReason.LEASE_GONE : FenceReason.LAYOUT_CHANGED;
        }

        private List<Tenure> tenures() {
            return left.stream().flatMap(keeper -> keeper.tenure().stream()).toList();
        }
    }

    /**
     * Does all of these, whatever one of them throws, and then throws the first of what they have thrown. ZooKeeper has
     * confirmed the renewal of all slots, so what breaks for one must not keep it from the others.
     */
    private static void doAll(List<Runnable> extending) {
        RuntimeException first = null;
        for (Runnable each : extending) {
            try {
                each.run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
