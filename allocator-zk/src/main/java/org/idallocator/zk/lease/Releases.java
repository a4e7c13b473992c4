package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tenures that ended and are to be released, on whatever session they were claimed. Confined to the lease loop's thread.
 */
final class Releases {
    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);

    private final Resolver resolver;
    private final Releaser releaser;
    private final OwnTicks own;
    private final List<Tenure> toRelease = new ArrayList<>();
    private final List<FencedException> refusals = new ArrayList<>();
    private final FailureLog failures = new FailureLog(LOG);
    private long pauseNanos;

    /** {@code own} is told what becomes of each tenure. */
    Releases(Nodes nodes, Resolver resolver, OwnTicks own) {
        this.resolver = resolver;
        this.releaser = new Releaser(nodes);
        this.own = own;
    }

    /** Adds a tenure that does not serve, and may have a lease or a record in ZooKeeper. */
    void add(Tenure tenure) {
        toRelease.add(tenure);
        pauseNanos = 0;
    }

    /** Trips the fence of a tenure that is not to serve any more, and adds the tenure. Returns why it tripped: for this reason, or before. */
    FencedException end(Tenure tenure, FenceReason reason, String detail) {
        FencedException first = tenure.fence().trip(reason, detail);
        add(tenure);
        return first;
    }

    List<Tenure> tenures() {
        return List.copyOf(toRelease);
    }

    boolean isEmpty() {
        return toRelease.isEmpty();
    }

    /** Releases none of them: their leases end with their session. */
    void giveUp() {
        toRelease.forEach(failures::forget);
        toRelease.forEach(LeaseLog::abandoned);
        toRelease.forEach(own::lost);
        toRelease.clear();
    }

    /** How long the next {@link #release} may wait; {@link Long#MAX_VALUE} where there is nothing to release. */
    long nanosUntilDue() {
        return toRelease.isEmpty() ? Long.MAX_VALUE : pauseNanos;
    }

    /** What ZooKeeper refused of single slots in the last {@link #release}, with their names; empty where it refused nothing. */
    Optional<FencedException> hindrance() {
        return refusals.stream().findFirst().map(first -> {
            String all = refusals.stream().map(FencedException::getMessage).collect(Collectors.joining("; "));
            return new FencedException(first.reason(), all, first.retryAfter());
        });
    }

    /** Releases all of them. A slot that is not ours any more needs nothing, unless its record has been forged. */
    void release(Root.Seen meta) {
        pauseNanos = 0;
        refusals.clear();
        for (Iterator<Tenure> i = toRelease.iterator(); i.hasNext(); ) {
            Tenure tenure = i.next();
            boolean served = tenure.fence().fenced() != null; // else its claim was never confirmed
            tenure.generator().close();
            tenure.fence().trip(FenceReason.RELEASED, "in order");
            if (released(tenure, meta, served)) {
                i.remove();
                failures.forget(tenure);
            }
        }
    }

    /** False where the tenure is to be tried again. Where one pool refuses, the others are released all the same. */
    private boolean released(Tenure tenure, Root.Seen meta, boolean served) {
        try {
            Resolver.Resolution found = resolver.resolve(tenure);
            boolean forged = Releaser.forged(tenure, found);
            if (found.anythingOurs() || forged) {
                releaser.release(tenure, found, meta);
            }
            if (forged) {
                LeaseLog.raised(tenure, found);
            }
            forget(tenure, !forged && tenure.hasLeftRecord()); // whoever followed knows its ticks
            if (found.anythingOurs() || served) {
                LeaseLog.released(tenure);
            }
            return true;
        } catch (StoreException e) {
            switch (e.kind()) {
                case UNCERTAIN, REFUSED, NO_TLS -> throw e;
                case CONFLICT -> LOG.debug("{} is resolved again at once", tenure, e);
                default -> {
                    pauseNanos = TenureRules.RETRY.toNanos();
                    failures.failed(tenure, e.kind(), e);
                    refusals.add(refusal(tenure, e));
                }
            }
            return false;
        }
    }

    private void forget(Tenure tenure, boolean inOrder) {
        if (inOrder) {
            own.released(tenure);
        } else {
            own.lost(tenure);
        }
    }

    private static FencedException refusal(Tenure tenure, StoreException e) {
        FencedException why = Fencing.of(e);
        return new FencedException(why.reason(), tenure.slot() + ": " + why.getMessage(), why.retryAfter());
    }
}
