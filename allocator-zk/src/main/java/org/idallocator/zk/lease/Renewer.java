package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.node.Slot;
import org.idallocator.zk.node.SlotRecord;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the ceilings of all tenures on in one transaction, and their deadlines with it: four times while a ceiling or a session would
 * last, so that three renewals may fail. A new ceiling counts only after its
 * write was confirmed. When the transaction gives anything but OK, each slot is read back and renewed by itself. Where a slot
 * is no longer ours, its tenure's fence trips. Confined to the lease loop's thread.
 */
final class Renewer {
    private static final Logger LOG = LoggerFactory.getLogger(Renewer.class);
    private static final int RENEWALS_PER_WINDOW = 4;

    private final Nodes nodes;
    private final Reservation reservation;
    private final Clock clock;
    private final Resolver resolver;
    private final Keepers keepers;
    private long periodNanos;
    private long renewedNanos;
    private final Set<Tenure> counted = new HashSet<>(); // in the renewal that is under way
    private StoreException.@Nullable Kind trouble;

    /** {@code keepers} are those whose tenures are renewed, and have counters for that. */
    Renewer(Nodes nodes, Reservation reservation, Resolver resolver, Keepers keepers) {
        this.nodes = nodes;
        this.reservation = reservation;
        this.clock = reservation.clock();
        this.resolver = resolver;
        this.keepers = keepers;
        this.renewedNanos = clock.nanos();
    }

    /** A session was granted this timeout, which may be shorter than the window. */
    void granted(Duration sessionTimeout) {
        periodNanos = Math.min(reservation.window().toNanos(), sessionTimeout.toNanos()) / RENEWALS_PER_WINDOW;
    }

    /** How long {@link #renewIfDue} may wait; 0 when it is due. */
    long nanosUntilDue() {
        return Math.max(0, renewedNanos + periodNanos - clock.nanos());
    }

    /**
     * Renews the tenures that serve, which are of the current session, if that is due.
     *
     * @return whether tenures were renewed, so that fences may have tripped
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW}, with nothing written
     * @throws StoreException when ZooKeeper does not answer; the deadlines stay as they are
     */
    boolean renewIfDue(Root.Seen meta) {
        if (nanosUntilDue() > 0) {
            return false;
        }
        List<Tenure> tenures = keepers.tenures();
        if (!tenures.isEmpty()) {
            renew(tenures, meta);
        }
        renewedNanos = clock.nanos();
        counted.clear();
        trouble = null;
        return !tenures.isEmpty();
    }

    private void renew(List<Tenure> tenures, Root.Seen meta) {
        try {
            renewTogether(tenures, meta);
        } catch (StoreException e) {
            LOG.debug("a renewal gave no plain OK: each slot is read back and renewed by itself", e);
            trouble = e.kind();
            renewOneByOne(tenures, meta);
        }
    }

    private void renewOneByOne(List<Tenure> tenures, Root.Seen meta) {
        for (Tenure tenure : tenures) {
            if (!resolve(tenure) || !renewAlone(tenure, meta)) {
                failed(tenure);
            }
        }
    }

    /** Counts a renewal as failed, unless it was counted already, whatever came of it. */
    private void failed(Tenure tenure) {
        if (counted.add(tenure)) {
            keepers.tally(tenure).renewalFailed();
        }
    }

    /** False where the pool refuses: then the tenure's fence has tripped. */
    private boolean renewAlone(Tenure tenure, Root.Seen meta) {
        try {
            renewTogether(List.of(tenure), meta);
            return true;
        } catch (StoreException e) {
            fenceIfRefused(tenure, e);
            return false;
        }
    }

    /**
     * A step has failed before all was renewed. Where a renewal was due, it counts as failed, but for the tenures of which it was
     * counted already: it is tried again in the next step. Those that are renewed then are told of, and counted apart.
     *
     * @param kind why ZooKeeper gave no plain answer; null where the step has failed otherwise
     */
    void missed(StoreException.@Nullable Kind kind) {
        List<Tenure> tenures = keepers.tenures();
        if (nanosUntilDue() == 0 && !tenures.isEmpty()) {
            tenures.forEach(this::failed);
            trouble = kind == null ? trouble : kind;
        }
        counted.clear();
    }

    /** Where a pool refuses, the tenure's fence trips, and the others are renewed. Other failures are thrown on. */
    private static void fenceIfRefused(Tenure tenure, StoreException e) {
        if (e.unanswered() || e.kind() == StoreException.Kind.CONFLICT) {
            throw e;
        }
        tenure.fence().trip(e.fenced());
        LOG.debug("{} cannot be renewed", tenure, e); // whoever collects the tenure tells why
    }

    private void renewTogether(List<Tenure> tenures, Root.Seen meta) {
        long micros = reservation.judge().requireMicros();
        long sentNanos = clock.nanos(); // before the bits of the writes: a copy that is made later has others
        List<Store.Op> ops = new ArrayList<>(meta.checks(nodes.tree()));
        List<SlotRecord> records = new ArrayList<>();
        for (Tenure tenure : tenures) {
            long ceiling = Math.max(
                    tenure.fence().ceilingTick(),
                    reservation.ceiling(tenure.slot().unit(), micros));
            SlotRecord record = nodes.sent(tenure.reserving(ceiling));
            records.add(record);
            ops.addAll(renewal(tenure, record));
            tenure.writes(record);
        }
        List<Store.Written> written = nodes.store().multi(ops);
        long tookNanos = clock.nanos() - sentNanos;
        reservation.judge().observe(written.get(0), sentNanos);
        for (int i = 0; i < tenures.size(); i++) {
            tenures.get(i).recordIs(written.get(i).version(), records.get(i));
            extend(tenures.get(i), records.get(i).ceiling(), sentNanos);
            keepers.tally(tenures.get(i)).renewed(tookNanos, trouble != null);
            counted.add(tenures.get(i));
            tellAfterTrouble(tenures.get(i));
        }
    }

    private void tellAfterTrouble(Tenure tenure) {
        StoreException.Kind before = trouble;
        if (before != null && tenure.fence().fenced() == null) {
            LeaseLog.renewed(tenure, before);
        }
    }

    private List<Store.Op> renewal(Tenure tenure, SlotRecord record) {
        Slot slot = tenure.slot();
        return List.of(
                Layouts.check(nodes.tree(), slot.pool(), tenure.generation()),
                new Store.Op.Check(nodes.tree().lease(slot), -1),
                Reservation.write(nodes.tree(), slot, record, tenure.recordVersion()));
    }

    private void extend(Tenure tenure, long ceiling, long sentNanos) {
        long deadlineNanos = reservation.deadlineNanos(sentNanos, nodes.store().sessionTimeout(), tenure.endNanos());
        tenure.fence().extend(ceiling, deadlineNanos);
    }

    /** Reads the slot back. False when it is no longer ours: then the tenure's fence has tripped. */
    boolean resolve(Tenure tenure) {
        Resolver.Resolution found;
        try {
            found = resolver.resolve(tenure);
        } catch (StoreException e) {
            fenceIfRefused(tenure, e);
            return false;
        }
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
