package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.ClockJudge;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Layouts;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;

/**
 * Raises the ceilings of all tenures in one transaction, and their deadlines with it. A new ceiling is used only after its
 * write is confirmed. When the transaction gives anything but OK, each slot is resolved by reading back and renewed by
 * itself; those that are no longer ours are fenced.
 */
final class Renewer {
    private final Store store;
    private final Tree tree;
    private final Clock clock;
    private final ClockJudge judge;
    private final Resolver resolver;
    private final Reservation reservation;

    Renewer(Store store, Tree tree, Clock clock, ClockJudge judge, Resolver resolver, Reservation reservation) {
        this.store = store;
        this.tree = tree;
        this.clock = clock;
        this.judge = judge;
        this.resolver = resolver;
        this.reservation = reservation;
    }

    /**
     * Renews tenures of the current session.
     *
     * @throws org.idallocator.core.fence.FencedException {@code CLOCK_SKEW}, with nothing written
     * @throws StoreException when ZooKeeper does not answer; the deadlines stay as they are
     */
    void renew(List<Tenure> tenures, Root.Seen meta) {
        try {
            renewTogether(tenures, meta);
        } catch (StoreException e) {
            renewOneByOne(tenures, meta);
        }
    }

    private void renewOneByOne(List<Tenure> tenures, Root.Seen meta) {
        for (Tenure tenure : tenures) {
            if (resolve(tenure)) {
                try {
                    renewTogether(List.of(tenure), meta);
                } catch (StoreException e) {
                    fenceIfRefused(tenure, e);
                }
            }
        }
    }

    /** What a pool refuses fences its slot, and keeps no other from being renewed. */
    private static void fenceIfRefused(Tenure tenure, StoreException e) {
        if (e.kind() == StoreException.Kind.UNCERTAIN || e.kind() == StoreException.Kind.CONFLICT) {
            throw e;
        }
        tenure.fence().trip(Fencing.of(e));
    }

    private void renewTogether(List<Tenure> tenures, Root.Seen meta) {
        long micros = judge.requireMicros();
        List<Store.Op> ops = new ArrayList<>(meta.checks(tree));
        List<Long> ceilings = new ArrayList<>();
        for (Tenure tenure : tenures) {
            SlotPool pool = tenure.pool();
            long ceiling = Math.max(tenure.fence().ceilingTick(), reservation.ceiling(pool.unit(), micros));
            ceilings.add(ceiling);
            ops.add(Layouts.check(tree, pool, tenure.generation()));
            ops.add(new Store.Op.Check(tree.lease(pool, tenure.slot()), -1));
            ops.add(reservation.write(tree, pool, tenure.slot(), tenure.nonce(), ceiling, tenure.recordVersion()));
        }
        long sent = clock.nanos();
        List<Store.Written> written = store.multi(ops);
        judge.observe(written.get(0), sent);
        for (int i = 0; i < tenures.size(); i++) {
            tenures.get(i).recordVersion(written.get(i).version());
            extend(tenures.get(i), ceilings.get(i), sent);
        }
    }

    private void extend(Tenure tenure, long ceiling, long sent) {
        tenure.fence().extend(ceiling, reservation.deadline(sent, store.sessionTimeout(), tenure.endNanos()));
    }

    /** Reads back; false when the slot is no longer ours, which fences it. */
    boolean resolve(Tenure tenure) {
        Resolver.Finding found;
        try {
            found = resolver.find(tenure);
        } catch (StoreException e) {
            fenceIfRefused(tenure, e);
            return false;
        }
        FenceReason lost = found.lost();
        if (lost != null) {
            tenure.fence().trip(lost, tenure.toString());
            return false;
        }
        tenure.recordVersion(found.recordVersion());
        tenure.fence().extend(found.ceiling(), tenure.fence().deadlineNanos());
        return true;
    }
}
