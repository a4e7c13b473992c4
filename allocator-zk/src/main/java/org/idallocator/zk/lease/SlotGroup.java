package org.idallocator.zk.lease;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.LoadBalancer;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.jspecify.annotations.Nullable;

/**
 * One scheme on this replica: a keeper for each of the slots that it is to hold. Callers draw from all that serve; where there is to
 * be one, straight from that. Callers read a group from any thread; only the lease loop's thread changes it.
 */
final class SlotGroup implements TenureSource<Generator> {
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Clock clock;
    private final LeaseTally tally = new LeaseTally();
    private final List<SlotKeeper> keepers;
    private volatile @Nullable LoadBalancer balancer;
    private List<Tenure> balanced = List.of();

    /**
     * A group without a tenure.
     *
     * @param scheme one with slots
     * @param settings how many slots it is to hold, and how long a call may wait
     */
    SlotGroup(Scheme<?> scheme, AllocatorSettings settings, Clock clock) {
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.clock = clock;
        this.keepers = IntStream.range(0, settings.leases(scheme))
                .mapToObj(i -> new SlotKeeper(scheme, tally, clock, settings.maxWait(), this::changed))
                .toList();
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

    /** The keepers that have a tenure. */
    List<SlotKeeper> serving() {
        return keepers.stream().filter(keeper -> keeper.tenure().isPresent()).toList();
    }

    @Override
    public Generator current() {
        LoadBalancer serving = balancer;
        return serving == null ? keepers.get(0).current() : serving;
    }

    /** Hands on the tenures whose fences have tripped: they stop serving. */
    void collect(Consumer<Tenure> collected) {
        keepers.forEach(keeper -> keeper.collect().ifPresent(collected));
    }

    /** From now on callers draw from what serves now. A balancer of the same tenures is kept: callers compare. */
    private void changed() {
        List<Tenure> now = tenures();
        if (keepers.size() > 1 && !now.equals(balanced)) {
            balanced = now;
            balancer = now.isEmpty()
                    ? null
                    : new LoadBalancer(now.stream().map(Tenure::generator).toList());
        }
    }

    SchemeStatus status(Tree tree) {
        List<Optional<FencedException>> refusals =
                keepers.stream().map(SlotKeeper::fenced).toList();
        int serving = (int) refusals.stream().filter(Optional::isEmpty).count();
        Optional<FencedException> lacking =
                refusals.stream().flatMap(Optional::stream).findFirst();
        return new SchemeStatus(
                scheme.name(),
                serving == 0 ? lacking : Optional.empty(),
                keepers.stream()
                        .flatMap(keeper -> keeper.open().stream())
                        .findFirst()
                        .map(tenure -> tenure.held(tree, clock.micros())),
                Optional.of(new SchemeStatus.Slots(serving, keepers.size())),
                lacking);
    }

    @Override
    public String toString() {
        return scheme.name();
    }
}
