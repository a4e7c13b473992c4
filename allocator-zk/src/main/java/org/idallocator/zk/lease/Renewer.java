package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.epoch.Generations;
import org.idallocator.zk.epoch.Incarnations;
import org.idallocator.zk.lease.SlotGroup.SlotKeeper;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Slot;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the ceilings of all tenures on in one transaction, and their deadlines with it: four times while a ceiling or a session would
 * last, so that three renewals may fail. A new ceiling counts only after its write was confirmed, and then for each slot, whatever
 * breaks right after. When the transaction gives anything but OK, each slot is read back and renewed by itself. Where a slot is no
 * longer ours, its tenure's fence trips. Confined to the lease loop's thread.
 */
final class Renewer {
    private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);
    private static final int RENEWALS_PER_WINDOW = 4;

    private final Znodes nodes;
    private final Reservation reservation;
    private final Resolver resolver;
    private final Held held;
    private final Set<SlotKeeper> counted = new HashSet<>(); // in the renewal that is under way
    private StoreException.@Nullable Kind trouble;
    private long periodNanos;
    private long renewedNanos;

    /** {@code held} has the tenures that are renewed, and counters for that. */
    Renewer(Znodes nodes, Reservation reservation, Resolver resolver, Held held) {
        this.nodes = nodes;
        this.reservation = reservation;
        this.resolver = resolver;
        this.held = held;
        this.renewedNanos = reservation.clock().nanos();
    }

    /** A session was granted this timeout, which may be shorter than the window. */
    void granted(Duration sessionTimeout) {
        periodNanos = Math.min(reservation.window().toNanos(), sessionTimeout.toNanos()) / RENEWALS_PER_WINDOW;
    }

    /** How long {@link #renew} may wait; 0 when it is due. */
    long nanosUntilDue() {
        return Math.max(0, renewedNanos + periodNanos - reservation.clock().nanos());
    }

    /**
     * Renews the tenures that serve, which are of the current session. Fences may trip.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW}, with nothing written
     * @throws StoreException when ZooKeeper does not answer; the deadlines stay as they are
     */
    void renew(Incarnations.Seen meta) {
        List<SlotKeeper> serving = serving();
        try {
            if (!serving.isEmpty()) {
                renewTogether(serving, meta);
            }
        } catch (StoreException e) {
            LOG.debug("a renewal gave no plain OK: each slot is read back and renewed by itself", e);
            trouble = e.kind();
            serving.forEach(keeper -> renewAlone(keeper, meta));
        }
        renewedNanos = reservation.clock().nanos();
        counted.clear();
        trouble = null;
    }

    private List<SlotKeeper> serving() {
        return held.keepers().stream()
                .filter(keeper -> keeper.tenure().isPresent())
                .toList();
    }

    private void renewAlone(SlotKeeper keeper, Incarnations.Seen meta) {
        Tenure tenure = keeper.tenure().orElseThrow();
        unlessRefused(tenure, () -> {
            if (isOurs(tenure)) {
                renewTogether(List.of(keeper), meta);
            }
        });
        failed(keeper);
    }

    /** Counts a renewal as failed, unless it was counted already, whatever came of it. */
    private void failed(SlotKeeper keeper) {
        if (counted.add(keeper)) {
            keeper.group().tally().failedRenewals.increment();
        }
    }

    /**
     * A step has failed before all was renewed. Where a renewal was due, it counts as failed, but for the tenures of which it was
     * counted already: it is tried again in the next step. Those that are renewed then are told of, and counted apart.
     *
     * @param kind why ZooKeeper gave no plain answer; null where the step has failed otherwise
     */
    void missed(StoreException.@Nullable Kind kind) {
        List<SlotKeeper> serving = serving();
        if (nanosUntilDue() == 0 && !serving.isEmpty()) {
            serving.forEach(this::failed);
            trouble = kind == null ? trouble : kind;
        }
        counted.clear();
    }

    /** Where a pool refuses, the tenure's fence trips, and the others are renewed. Other failures are thrown on. */
    private static void unlessRefused(Tenure tenure, Runnable asking) {
        try {
            asking.run();
        } catch (StoreException e) {
            if (e.unanswered() || e.kind() == StoreException.Kind.CONFLICT) {
                throw e;
            }
            tenure.fence().trip(e.fenced());
            LOG.debug("{} cannot be renewed", tenure, e); // whoever collects the tenure tells why
        }
    }

    private void renewTogether(List<SlotKeeper> keepers, Incarnations.Seen meta) {
        long micros = reservation.leaderClock().requireMicros();
        Duration timeout = nodes.store().session().timeout(); // first: after the answer, the connection may be gone
        // before the bits of the writes: a copy that is made later has others
        long sentNanos = reservation.clock().nanos();
        List<Store.Op> ops = meta.checks(nodes.tree());
        List<SlotRecord> records = new ArrayList<>();
        for (SlotKeeper keeper : keepers) {
            records.add(reserve(keeper.tenure().orElseThrow(), micros, ops));
        }
        List<Store.Written> written = nodes.store().multi(ops);
        List<Runnable> counting = new ArrayList<>();
        for (int i = 0; i < keepers.size(); i++) {
            Tenure tenure = keepers.get(i).tenure().orElseThrow();
            long ceiling = records.get(i).ceiling();
            tenure.recordIs(written.get(i).version(), records.get(i));
            counting.add(() -> extend(tenure, ceiling, sentNanos, timeout));
        }
        counting.add(() -> reservation.leaderClock().observe(written.get(0), sentNanos));
        keepers.forEach(keeper -> counting.add(() -> confirmed(keeper, sentNanos)));
        doAll(counting);
    }

    /**
     * Does all of these, whatever one of them throws, and then throws the first of what they have thrown. ZooKeeper has confirmed the
     * renewal of all slots, so what breaks for one must not keep it from the others.
     */
    private static void doAll(List<Runnable> counting) {
        RuntimeException first = null;
        for (Runnable each : counting) {
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

    private SlotRecord reserve(Tenure tenure, long micros, List<Store.Op> ops) {
        Slot slot = tenure.slot();
        long ceiling = Math.max(tenure.fence().ceilingTick(), reservation.ceiling(slot.unit(), micros));
        SlotRecord record = tenure.writes(nodes.sent(tenure.reserving(ceiling)));
        ops.add(Generations.check(nodes.tree(), slot.pool(), tenure.claim().generation()));
        ops.add(new Store.Op.Check(nodes.tree().lease(slot), -1));
        ops.add(Reservation.write(nodes.tree(), slot, record, tenure.recordVersion()));
        return record;
    }

    private void extend(Tenure tenure, long ceiling, long sentNanos, Duration timeout) {
        long endNanos = tenure.claim().endNanos();
        tenure.fence().extend(ceiling, reservation.deadlineNanos(sentNanos, timeout, endNanos));
    }

    private void confirmed(SlotKeeper keeper, long sentNanos) {
        Tenure tenure = keeper.tenure().orElseThrow();
        counted.add(keeper);
        keeper.group().tally().renewed(reservation.clock().nanos() - sentNanos, trouble != null);
        StoreException.Kind before = trouble;
        if (before != null && tenure.fence().fenced() == null) {
            LeaseLog.renewed(tenure, before);
        }
    }

    /** Reads the slot back. Where it is no longer ours, the tenure's fence trips. */
    void resolve(Tenure tenure) {
        unlessRefused(tenure, () -> {
            var unused = isOurs(tenure);
        });
    }

    /** False where the slot, read back, is no longer ours: then the tenure's fence has tripped. */
    private boolean isOurs(Tenure tenure) {
        Resolver.Resolution found = resolver.resolve(tenure);
        FenceReason lost = found.lost();
        if (lost != null) {
            tenure.fence().trip(lost, tenure.toString());
            return false;
        }
        SlotRecord record = Objects.requireNonNull(found.record());
        tenure.recordIs(found.recordVersion(), record);
        tenure.fence().extend(record.ceiling(), tenure.fence().deadlineNanos());
        return true;
    }
}
