package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.LoadBalancer;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.znode.Tree;
import org.jspecify.annotations.Nullable;

/**
 * One scheme on this replica: a keeper for each of the slots that it is to hold. Callers draw from all that serve;
 * where there is to be one, straight from that. Callers read it from any thread; only the lease loop's thread changes
 * them.
 */
final class SchemeSlots implements TenureSource<Generator> {
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Clock clock;
    private final LeaseTally tally = new LeaseTally();
    private final List<SlotKeeper> keepers;
    private volatile @Nullable LoadBalancer balancer;
    private List<Tenure> balanced = List.of();

    /**
     * None of the slots has a tenure.
     *
     * @param scheme one with slots
     * @param settings how many slots it is to hold, and how long a call may wait: a longer wait counts as a refusal
     */
    SchemeSlots(Scheme<?> scheme, AllocatorSettings settings, Clock clock) {
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.clock = clock;
        this.keepers = Stream.generate(() -> new SlotKeeper(this, clock, settings.maxWait()))
                .limit(settings.leases(scheme))
                .toList();
    }

    Scheme<?> scheme() {
        return scheme;
    }

    SlotPool pool() {
        return pool;
    }

    /** Counts what becomes of the leases. */
    LeaseTally tally() {
        return tally;
    }

    /** What was counted so far. May be called from any thread. */
    LeaseCounts counts() {
        return tally.counts(scheme.name());
    }

    /** One for each slot that the scheme is to hold. */
    List<SlotKeeper> keepers() {
        return keepers;
    }

    /** The tenures that serve. */
    List<Tenure> tenures() {
        return keepers.stream().flatMap(keeper -> keeper.tenure().stream()).toList();
    }

    @Override
    public Generator current() {
        LoadBalancer serving = balancer;
        return serving == null ? keepers.get(0).current() : serving;
    }

    /** From now on callers draw from what serves now. A balancer of the same tenures is kept: callers compare. */
    void rebalance() {
        List<Tenure> now = tenures();
        if (keepers.size() > 1 && !now.equals(balanced)) {
            balanced = now;
            balancer = now.isEmpty()
                    ? null
                    : new LoadBalancer(now.stream().map(Tenure::generator).toList());
        }
    }

    /**
     * Trips the fences whose deadline has passed, and tells the state of the scheme then. So what is told of a deadline
     * stays true: no renewal that is confirmed later opens such a fence again.
     */
    SchemeStatus tripOverdueAndTell(Tree tree) {
        keepers.forEach(SlotKeeper::tripIfOverdue);
        return status(tree);
    }

    private SchemeStatus status(Tree tree) {
        List<FencedException> refusals =
                keepers.stream().flatMap(keeper -> keeper.fenced().stream()).toList();
        int serving = keepers.size() - refusals.size();
        Optional<FencedException> lacking = refusals.stream().findFirst();
        Optional<FencedException> fenced = serving == 0 ? lacking : Optional.empty();
        Optional<HeldSlot> first = keepers.stream()
                .flatMap(keeper -> keeper.openTenure().stream())
                .findFirst()
                .map(tenure -> tenure.held(tree, clock.micros()));
        SchemeStatus.Slots slots = new SchemeStatus.Slots(serving, keepers.size());
        return new SchemeStatus(scheme.name(), fenced, first, Optional.of(slots), lacking);
    }

    @Override
    public String toString() {
        return scheme.name();
    }
}
