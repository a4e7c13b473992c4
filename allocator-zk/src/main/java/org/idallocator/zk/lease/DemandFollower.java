package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.epoch.Fencing;
import org.idallocator.zk.node.Nodes;
import org.idallocator.zk.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the number of slots follow the demand, within each scheme's bounds and the replica's fair share: at most one slot more or
 * less of each scheme in a window. {@link SlotFiller} claims what is wanted, as any slot. What is not wanted any more is released
 * as any tenure that ended. So nothing here touches what keeps IDs apart. Confined to the lease loop's thread.
 */
final class DemandFollower {
    private static final Logger LOG = LoggerFactory.getLogger(DemandFollower.class);
    private static final String UNNEEDED = "the demand fits in fewer slots";
    private static final String NEEDED_BY_OTHERS = "other replicas may lack a slot";

    private final Releases releases;
    private final List<Followed> followed = new ArrayList<>();
    private final FailureLog failures = new FailureLog(LOG);

    private record Followed(SlotGroup group, FairShare share) {

        Demand demand() {
            return group.demand();
        }
    }

    DemandFollower(Nodes nodes, List<SlotGroup> groups, Releases releases) {
        this.releases = releases;
        for (SlotGroup group : groups) {
            if (group.bounds().flexible()) {
                followed.add(new Followed(
                        group, new FairShare(nodes, group.pool(), group.bounds().min())));
            }
        }
    }

    /** How long the next {@link #follow} may wait; {@link Long#MAX_VALUE} where no number of slots follows a demand. */
    long nanosUntilDue() {
        return followed.stream()
                .mapToLong(each -> each.demand().nanosUntilDue())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Wants more or fewer slots where a window is over.
     *
     * @param between what is to be done after each scheme: a look takes long where ZooKeeper answers slowly
     * @throws StoreException {@code UNCERTAIN} or {@code REFUSED} when ZooKeeper does not answer
     */
    void follow(Runnable between) {
        for (Followed each : followed) {
            if (each.demand().nanosUntilDue() == 0) {
                follow(each);
                between.run();
            }
        }
    }

    private void follow(Followed each) {
        Demand.Verdict verdict = each.demand().look(each.group().tenures().size());
        each.group().giveUpClaims(); // what could not be claimed in a window
        try {
            decide(each, verdict);
            failures.forget(each.group());
        } catch (StoreException e) {
            if (e.unanswered()) {
                throw e;
            }
            failures.failed(each.group(), e.kind(), e);
        }
    }

    /** A claim under way counts as a slot. Where nothing could change, ZooKeeper is not asked. */
    private void decide(Followed each, Demand.Verdict verdict) {
        SlotGroup group = each.group();
        int size = group.size();
        int min = group.bounds().min();
        boolean more = verdict == Demand.Verdict.MORE && size < group.bounds().max() && !group.claiming();
        if (size == min && !more) {
            return;
        }
        Crowd crowd = each.share().look();
        if (crowd.exceededBy(size, min)) {
            giveBack(group, NEEDED_BY_OTHERS);
            each.demand().beModest();
        } else if (size > min && verdict == Demand.Verdict.LESS) {
            giveBack(group, UNNEEDED);
        } else if (more && crowd.allows(size, each.demand().isModest())) {
            LOG.info(
                    "callers of {} keep waiting: claims slot {} of at most {}",
                    group,
                    size + 1,
                    group.bounds().max());
            group.grow();
        }
    }

    /** Gives the newest slot back, in order: callers leave the slot first, then its fence trips. */
    private void giveBack(SlotGroup group, String why) {
        FencedException told = Fencing.of(FenceReason.RELEASED, why);
        group.shrink(told).ifPresent(tenure -> releases.end(tenure, FenceReason.RELEASED, why));
    }
}
