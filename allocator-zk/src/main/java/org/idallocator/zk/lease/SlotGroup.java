package org.idallocator.zk.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.fence.TenureSource;
import org.idallocator.core.generator.Generator;
import org.idallocator.core.generator.Pressure;
import org.idallocator.core.generator.Spread;
import org.idallocator.core.generator.Turns;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.node.Tree;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.LeaseBounds;
import org.jspecify.annotations.Nullable;

/**
 * One scheme on this replica: its slots, at least {@code min} and at most {@code max} of them. Callers draw from all that serve;
 * where there is one at most, straight from that. Callers read a group from any thread; only the lease loop's thread changes it.
 *
 * <p>There are {@code max} keepers, in an order of which the first ones are wanted: to have a tenure, and another one when that
 * ends. Where a tenure is lost while more than {@code min} keepers are wanted, its keeper goes behind them, and one less is wanted.
 * So the scheme lacks a slot only when fewer than {@code min} are left, and what the demand needs, the demand claims again.
 */
final class SlotGroup implements TenureSource<Generator> {
    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final LeaseBounds bounds;
    private final Clock clock;
    private final LeaseTally tally = new LeaseTally();
    private final Demand demand;
    private final List<SlotKeeper> keepers; // in their order; confined to the lease loop's thread
    private final List<SlotKeeper> all;
    private final Pressure pressure;
    private final Turns turns; // stay when a spread is replaced: whoever has booked one keeps it
    private volatile List<SlotKeeper> wanted;
    private volatile @Nullable Spread spread;
    private List<Tenure> spreadOver = List.of();

    /**
     * A group without a tenure.
     *
     * @param scheme one with slots
     * @param settings how many slots it has at least and at most, and how long a call may wait
     * @param rules when callers need more slots, or fewer
     */
    SlotGroup(Scheme<?> scheme, AllocatorSettings settings, Clock clock, Demand.Rules rules) {
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.bounds = settings.leases(scheme);
        this.clock = clock;
        this.pressure = new Pressure(pool.unit(), clock);
        this.demand = new Demand(pressure, clock, rules);
        this.keepers = new ArrayList<>(IntStream.range(0, bounds.max())
                .mapToObj(i -> new SlotKeeper(scheme, tally, clock, settings.maxWait(), this::changed))
                .toList());
        this.all = List.copyOf(keepers);
        this.wanted = List.copyOf(keepers.subList(0, bounds.min()));
        this.turns = Turns.over(this, pool.unit(), clock, pressure);
    }

    SlotPool pool() {
        return pool;
    }

    LeaseBounds bounds() {
        return bounds;
    }

    /** Counts what becomes of the leases. */
    LeaseTally tally() {
        return tally;
    }

    /** What was counted so far. May be called from any thread. */
    LeaseCounts counts() {
        return tally.counts(scheme.name());
    }

    /** What callers need. */
    Demand demand() {
        return demand;
    }

    /** All keepers, wanted or not. */
    List<SlotKeeper> all() {
        return all;
    }

    /** The keepers that are to have a tenure, {@code min} to {@code max}; the newest is the last. */
    List<SlotKeeper> wanted() {
        return wanted;
    }

    /** How many keepers are wanted. */
    int size() {
        return wanted.size();
    }

    /** The tenures that serve, the newest last. */
    List<Tenure> tenures() {
        return wanted.stream().flatMap(keeper -> keeper.tenure().stream()).toList();
    }

    /** The keepers that have a tenure, the newest last. */
    List<SlotKeeper> serving() {
        return wanted.stream().filter(keeper -> keeper.tenure().isPresent()).toList();
    }

    /** Whether a keeper that is wanted has no tenure: one that is still to be claimed, or cannot be. */
    boolean claiming() {
        return wanted.stream().anyMatch(keeper -> keeper.tenure().isEmpty());
    }

    @Override
    public Generator current() {
        Spread serving = spread;
        return serving == null ? wanted.get(0).current() : serving;
    }

    /** Wants one slot more, at once. There must be fewer than {@code max}. */
    void grow() {
        keepers.get(size()).tryAgainIn(0);
        want(size() + 1);
    }

    /**
     * Wants one slot less: the newest. There must be more than {@code min}. From now on callers draw from the others.
     *
     * @param why what somebody is told who asks the slot
     * @return the slot's tenure, which is to be ended; empty where the slot was not claimed yet
     */
    Optional<Tenure> shrink(FencedException why) {
        SlotKeeper newest = keepers.get(size() - 1);
        Optional<Tenure> ended = newest.tenure();
        want(size() - 1);
        newest.refuse(why);
        return ended;
    }

    /** Wants no more those above {@code min} that have no tenure. */
    void giveUpClaims() {
        for (SlotKeeper keeper : wanted) {
            if (keeper.tenure().isEmpty()) {
                giveUp(keeper);
            }
        }
    }

    /** Hands on the tenures whose fences have tripped: they stop serving. */
    void collect(Consumer<Tenure> collected) {
        for (SlotKeeper keeper : all) {
            keeper.collect().ifPresent(tenure -> {
                giveUp(keeper);
                collected.accept(tenure);
            });
        }
    }

    /** Wants this keeper no more, where more than {@code min} are wanted. It is one of them: no other has a tenure to lose. */
    private void giveUp(SlotKeeper keeper) {
        if (size() > bounds.min()) {
            keepers.remove(keeper);
            keepers.add(keeper);
            want(size() - 1);
        }
    }

    /** What was measured until now says nothing of another number of slots. */
    private void want(int count) {
        wanted = List.copyOf(keepers.subList(0, count));
        demand.beginAnew();
        changed();
    }

    /** Spreads callers over what serves now. A spread that would be over the same tenures is kept: callers compare. */
    private void changed() {
        List<Tenure> now = tenures();
        if (bounds.max() > 1 && !now.equals(spreadOver)) {
            spreadOver = now;
            spread = now.isEmpty()
                    ? null
                    : new Spread(now.stream().map(Tenure::generator).toList(), pressure, turns);
        }
    }

    SchemeStatus status(Tree tree) {
        List<SlotKeeper> asked = wanted;
        List<Optional<FencedException>> refusals =
                asked.stream().map(SlotKeeper::fenced).toList();
        int serving = (int) refusals.stream().filter(Optional::isEmpty).count();
        Optional<FencedException> refusal =
                refusals.stream().flatMap(Optional::stream).findFirst();
        return new SchemeStatus(
                scheme.name(),
                serving == 0 ? refusal : Optional.empty(),
                asked.stream()
                        .flatMap(keeper -> keeper.open().stream())
                        .findFirst()
                        .map(tenure -> tenure.held(tree, clock.micros())),
                Optional.of(new SchemeStatus.Slots(serving, bounds)),
                serving < bounds.min() ? refusal : Optional.empty());
    }

    @Override
    public String toString() {
        return scheme.name();
    }
}
