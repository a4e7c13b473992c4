package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.zk.epoch.Root;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tenures that ended: gives back what may still be ours of them, on whatever session. Confined to the lease loop's thread.
 */
final class Releases {
    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);
    private static final long REFUSED_RETRY_NANOS = Duration.ofMillis(200).toNanos();

    private final Resolver resolver;
    private final Releaser releaser;
    private final List<Tenure> toRelease = new ArrayList<>();
    private final FailureLog failures = new FailureLog(LOG);
    private long pauseNanos;

    Releases(Nodes nodes, Resolver resolver) {
        this.resolver = resolver;
        this.releaser = new Releaser(nodes);
    }

    /** A tenure that serves no more, and may be there in ZooKeeper. */
    void add(Tenure tenure) {
        toRelease.add(tenure);
        pauseNanos = 0;
    }

    /** Ends a tenure that serves no more. */
    void end(Tenure tenure, FenceReason reason, String detail) {
        tenure.fence().trip(reason, detail);
        add(tenure);
    }

    List<Tenure> tenures() {
        return List.copyOf(toRelease);
    }

    boolean isEmpty() {
        return toRelease.isEmpty();
    }

    /** They end with their session. */
    void giveUp() {
        toRelease.forEach(failures::over);
        toRelease.clear();
    }

    /** How long the next {@link #release} may wait; for ever where there is nothing to release. */
    long nanosUntilDue() {
        return toRelease.isEmpty() ? Long.MAX_VALUE : pauseNanos;
    }

    /** Releases all. A slot that turns out not to be ours any more needs nothing. */
    void release(Root.Seen meta) {
        pauseNanos = 0;
        for (Iterator<Tenure> i = toRelease.iterator(); i.hasNext(); ) {
            Tenure tenure = i.next();
            tenure.generator().close();
            tenure.fence().trip(FenceReason.RELEASED, "given back");
            if (released(tenure, meta)) {
                i.remove();
                failures.over(tenure);
            }
        }
    }

    /** What one pool refuses does not keep the others from being served. */
    private boolean released(Tenure tenure, Root.Seen meta) {
        try {
            Resolver.Resolution found = resolver.resolve(tenure);
            if (found.anythingOurs()) {
                releaser.release(tenure, found, meta);
                LOG.info("released {}", tenure);
            }
            return true;
        } catch (StoreException e) {
            switch (e.kind()) {
                case UNCERTAIN -> throw e;
                case CONFLICT -> LOG.debug("{} is resolved again at once", tenure, e);
                default -> {
                    pauseNanos = REFUSED_RETRY_NANOS;
                    failures.failed(tenure, e.kind(), e);
                }
            }
            return false;
        }
    }
}
