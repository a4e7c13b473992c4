package org.idallocator.zk.lease;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Generations;
import org.idallocator.zk.epoch.Incarnations;
import org.idallocator.zk.store.Store;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Json;
import org.idallocator.zk.znode.SlotRecord;
import org.idallocator.zk.znode.Tree;
import org.idallocator.zk.znode.Znodes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases the tenures that ended, on whatever session they were claimed. Issuing ends first; then one transaction, conditional on
 * the record's version, sets the record down to the last tick that was used and deletes the lease. The next tenure may start on
 * the very next tick, or go on from what the generator left ({@link Succession}). Where an operator or an expired session took
 * record or lease, the transaction leaves that one alone. Where a stranger wrote a record that reserves less than was used, or a
 * copy of this process renewed it, the transaction raises it to what is used or reserved: so no other tenure begins below. Where
 * the pool has another generation by now, it leaves the record alone, all of which lies below the new floor. Of a tenure whose claim
 * was never made, nothing is released. Confined to the lease loop's thread.
 */
final class Releaser {
    private static final Logger LOG = LoggerFactory.getLogger(Releaser.class);

    private final Znodes nodes;
    private final Resolver resolver;
    private final OwnTicks own = new OwnTicks();
    private final List<Tenure> toRelease = new ArrayList<>();
    private @Nullable FencedException hindrance;
    private final RetryLog failures = new RetryLog();
    private long pauseNanos;

    Releaser(Znodes nodes, Resolver resolver) {
        this.nodes = nodes;
        this.resolver = resolver;
    }

    /** Tells of failures with single slots. */
    RetryLog failures() {
        return failures;
    }

    /** What this process itself may have issued, which hears what becomes of each tenure. */
    OwnTicks own() {
        return own;
    }

    /** Adds a tenure that does not serve, and may have a lease or a record in ZooKeeper. */
    void add(Tenure tenure) {
        toRelease.add(tenure);
        pauseNanos = 0;
    }

    /**
     * Trips the fence of a tenure that is not to serve any more, and adds the tenure. Returns why it tripped: for this reason, or
     * before.
     */
    FencedException end(Tenure tenure, FenceReason reason, String detail) {
        FencedException first = tenure.fence().trip(reason, detail);
        add(tenure);
        return first;
    }

    List<Tenure> tenures() {
        return List.copyOf(toRelease);
    }

    /** Releases none of them: their leases end with their session. */
    void giveUp() {
        toRelease.forEach(failures::forget);
        toRelease.forEach(tenure -> LeaseLog.ended("abandoned", tenure));
        toRelease.forEach(tenure -> own.ended(tenure, false));
        toRelease.clear();
    }

    /** How long the next {@link #release} may wait; {@link Long#MAX_VALUE} where there is nothing to release. */
    long nanosUntilDue() {
        return toRelease.isEmpty() ? Long.MAX_VALUE : pauseNanos;
    }

    /** What ZooKeeper refused of single slots in the last {@link #release}, with their names; null where it refused nothing. */
    @Nullable
    FencedException hindrance() {
        return hindrance;
    }

    /**
     * Releases all of them. A slot that is not ours any more needs nothing, unless its record has been forged.
     *
     * @param between what is to be done after each slot: many take long where ZooKeeper answers slowly. It may add tenures
     */
    void release(Incarnations.Seen meta, Runnable between) {
        pauseNanos = 0;
        hindrance = null;
        for (Tenure tenure : tenures()) {
            tenure.generator().close(); // first: no tick above the one that the record goes down to can be issued
            tenure.fence().trip(FenceReason.RELEASED, "in order");
            if (released(tenure, meta)) {
                toRelease.remove(tenure);
                failures.forget(tenure);
            }
            between.run();
        }
    }

    /** False where the tenure is to be resolved and tried again. Where one pool refuses, the others are released all the same. */
    private boolean released(Tenure tenure, Incarnations.Seen meta) {
        try {
            Resolver.Resolution found = resolver.resolve(tenure);
            boolean claimed = wasClaimed(tenure, found);
            boolean forged = claimed && forged(tenure, found);
            if (found.anythingOurs() || forged) {
                nodes.store().multi(ops(tenure, found, forged, meta));
            }
            if (forged) {
                LeaseLog.raised(tenure, found);
            }
            own.ended(tenure, !forged && tenure.hasLeftRecord()); // whoever followed knows its ticks
            if (claimed) {
                LeaseLog.ended("released", tenure);
            }
            return true;
        } catch (StoreException e) {
            switch (e.kind()) {
                case UNCERTAIN, REFUSED, NO_TLS -> throw e;
                case CONFLICT -> LOG.debug("{} is resolved again at once", tenure, e);
                default -> {
                    pauseNanos = LeaseLoop.RETRY.toNanos();
                    failures.failed(tenure, e);
                    refused(tenure, e.fenced());
                }
            }
            return false;
        }
    }

    private void refused(Tenure tenure, FencedException why) {
        FencedException first = hindrance == null ? why : hindrance;
        String all = (hindrance == null ? "" : hindrance.getMessage() + "; ") + tenure.slot() + ": " + why.getMessage();
        hindrance = new FencedException(first.reason(), all, first.retryAfter());
    }

    /**
     * The transaction that releases a tenure.
     *
     * @param found what there is to release, just read back
     * @param meta as it was before {@code found} was read: a late release could lower a ceiling of after a restore
     */
    private List<Store.Op> ops(Tenure tenure, Resolver.Resolution found, boolean forged, Incarnations.Seen meta) {
        Tree tree = nodes.tree();
        String path = tree.record(tenure.slot());
        List<Store.Op> ops = meta.checks(tree);
        if (found.generationThere()) {
            ops.add(Generations.check(tree, tenure.slot().pool(), tenure.claim().generation()));
        }
        if (forged) {
            ops.add(new Store.Op.Write(path, Json.write(nodes.sent(raised(tenure, found))), found.recordVersion()));
        } else if (found.recordOurs() && found.generationThere()) {
            SlotRecord left = tenure.writes(nodes.sent(left(tenure)));
            ops.add(new Store.Op.Write(path, Json.write(left), found.recordVersion()));
        } else if (found.recordVersion() >= 0) {
            ops.add(new Store.Op.Check(path, found.recordVersion())); // else the lease may be a successor's
        }
        if (found.leaseOurs()) {
            ops.add(new Store.Op.Delete(tree.lease(tenure.slot()), -1));
        }
        return ops;
    }

    /**
     * Whether the tenure ever held its slot: its claim was confirmed, or what was read back, now or before an earlier try to release it,
     * shows that the claim was made. Else it has issued nothing, no lease ends with it, and what its generator counts as used is the
     * last holder's: the slot's record is none of its business.
     */
    private boolean wasClaimed(Tenure tenure, Resolver.Resolution found) {
        return own.began(tenure) || found.anythingOurs() || tenure.hasLeftRecord();
    }

    /**
     * Whether another tenure could use what this one has used, because somebody who is no replica wrote the record, or because a
     * copy of this process did, which would set it down to what that copy has used. Not so where one goes on from the record that
     * this tenure left in order.
     */
    private static boolean forged(Tenure tenure, Resolver.Resolution found) {
        SlotRecord record = found.record();
        if (record == null || !found.generationThere()) {
            return false;
        }
        long last = tenure.close();
        Long floor = record.floor();
        boolean handsOver = !found.recordOurs() && !tenure.hasLeftRecord() && floor != null && floor <= last;
        return tenure.wasCopied(record) || record.ceiling() < last || handsOver;
    }

    /** What takes the place of a forged record. It has no snapshot: others may have used ticks that the tenure knows nothing of. */
    private static SlotRecord raised(Tenure tenure, Resolver.Resolution found) {
        SlotRecord forged = Objects.requireNonNull(found.record());
        long ceiling = Math.max(tenure.close(), forged.ceiling());
        return SlotRecord.released(tenure.slot().unit(), ceiling, tenure.nonce())
                .keeping(forged.unknown());
    }

    /** The record of a tenure that ended in order. */
    private static SlotRecord left(Tenure tenure) {
        long last = tenure.generator().close();
        boolean used = last >= tenure.fence().floorTick();
        JsonNode snapshot = used ? tenure.generator().handover().map(Json::tree).orElse(null) : null;
        SlotRecord released = tenure.leaving(last);
        return snapshot == null ? released : released.with(tenure.fence().floorTick(), snapshot);
    }
}
