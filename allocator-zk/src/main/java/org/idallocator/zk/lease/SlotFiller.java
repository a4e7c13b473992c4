package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Generations;
import org.idallocator.zk.lease.Claimer.Wanted;
import org.idallocator.zk.lease.SlotGroup.SlotKeeper;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.Session;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Slot;

/**
 * Sees to it that each scheme has a tenure that serves. It claims a slot where no tenure serves, and another slot before a
 * tenure has lasted as long as its pool allows. Confined to the lease loop's thread.
 */
final class SlotFiller {
    private static final long CLAIM_RETRY_NANOS = Duration.ofMillis(10).toNanos();
    private static final int SWAP_FRACTION = 5;

    private final Generations generations;
    private final SlotChooser chooser;
    private final Claimer claimer;
    private final Reservation reservation;
    private final Releaser releaser;

    SlotFiller(
            Generations generations, SlotChooser chooser, Claimer claimer, Reservation reservation, Releaser releaser) {
        this.generations = generations;
        this.chooser = chooser;
        this.claimer = claimer;
        this.reservation = reservation;
        this.releaser = releaser;
    }

    /** How long {@link #fill} may wait; 0 when a claim is due, because no tenure serves or one is about to end. */
    long nanosUntilDue(SlotKeeper keeper) {
        return Math.max(keeper.tenure().map(this::nanosUntilClaim).orElse(0L), keeper.nanosUntilDue());
    }

    private long nanosUntilClaim(Tenure tenure) {
        Duration longest = tenure.slot().pool().longestTenure().orElse(Duration.ZERO); // none ends in 146 years
        long claimNanos = tenure.grant().endNanos() - longest.toNanos() / SWAP_FRACTION;
        return Math.max(0, claimNanos - reservation.clock().nanos());
    }

    /**
     * Claims slots for these keepers, where that is due.
     *
     * @param goesOn is asked between two questions, which take long where ZooKeeper answers slowly: does what is due meanwhile, and says
     *     whether slots are still wanted
     * @return whether any tenure serves that did not
     * @throws StoreException when ZooKeeper does not answer
     */
    boolean fill(List<SlotKeeper> keepers, Session session, IncarnationWatch incarnation, BooleanSupplier goesOn) {
        List<SlotKeeper> due =
                keepers.stream().filter(keeper -> nanosUntilDue(keeper) == 0).toList();
        long retryNanos =
                chooser.jittered(LeaseLoop.RETRY).toNanos(); // one for all, so that they are claimed together then
        boolean any = false;
        for (var claimed : claim(due, session, incarnation, goesOn).entrySet()) {
            any |= take(claimed.getKey(), claimed.getValue(), retryNanos);
        }
        return any;
    }

    /** Lets a keeper serve from what was claimed for it, or says why there is nothing. Returns whether a tenure serves that did not. */
    private boolean take(SlotKeeper keeper, ClaimResult result, long retryNanos) {
        if (result instanceof ClaimResult.Claimed claimed) {
            return swap(keeper, claimed.tenure(), FenceReason.TENURE_ENDED);
        }
        if (result instanceof ClaimResult.Refused refused) {
            keeper.refuse(refused.why());
            keeper.tryAgainIn(retryNanos);
            releaser.failures().failed(keeper, refused.cause());
        } else {
            keeper.tryAgainIn(CLAIM_RETRY_NANOS);
        }
        return false;
    }

    /** Claims a free slot for each of these. Returns what came of each. */
    private Map<SlotKeeper, ClaimResult> claim(
            List<SlotKeeper> keepers, Session session, IncarnationWatch incarnation, BooleanSupplier goesOn) {
        if (keepers.isEmpty()) {
            return Map.of();
        }
        Map<SlotKeeper, ClaimResult> results = new LinkedHashMap<>();
        Map<SlotGroup, Epoch> epochs = agree(keepers, incarnation, results);
        if (!goesOn.getAsBoolean()) {
            return results;
        }
        Map<SlotKeeper, Wanted> wanted = choose(keepers, epochs, results);
        if (wanted.isEmpty() || !goesOn.getAsBoolean()) {
            return results;
        }
        try {
            Map<Wanted, ClaimResult> claimed = claimer.claim(List.copyOf(wanted.values()), session, incarnation.seen());
            wanted.forEach((keeper, slot) -> results.put(keeper, Objects.requireNonNull(claimed.get(slot))));
        } catch (FencedException e) {
            wanted.keySet().forEach(keeper -> results.put(keeper, ClaimResult.Refused.of(e)));
        }
        results.forEach((keeper, result) -> {
            if (result instanceof ClaimResult.Claimed) {
                keeper.group().tally().claims.increment();
            }
        });
        return results;
    }

    /** The epochs of the pools of these keepers, where each is found to be as configured. */
    private Map<SlotGroup, Epoch> agree(
            List<SlotKeeper> keepers, IncarnationWatch incarnation, Map<SlotKeeper, ClaimResult> results) {
        Map<SlotGroup, List<SlotKeeper>> groups = keepers.stream()
                .collect(Collectors.groupingBy(SlotKeeper::group, LinkedHashMap::new, Collectors.toList()));
        Generations read = generations.readAhead(
                groups.keySet().stream().map(SlotGroup::pool).toList());
        Map<SlotGroup, Epoch> epochs = new LinkedHashMap<>();
        groups.forEach((group, its) -> {
            try {
                epochs.put(group, epoch(group.pool(), read, incarnation));
            } catch (FencedException | StoreException | ChangedMeanwhileException e) {
                its.forEach(keeper -> results.put(keeper, ClaimResult.Refused.of(e)));
            }
        });
        return epochs;
    }

    private Epoch epoch(SlotPool pool, Generations read, IncarnationWatch incarnation) {
        Generations.Seen layout = read.agreed(pool, incarnation.seen(), reservation.leaderClock());
        incarnation.remember(layout);
        Epoch epoch = new Epoch(incarnation.seen(), layout);
        awaitFloor(pool, epoch);
        return epoch;
    }

    /** A slot for each of these keepers whose pool is as configured, as far as there are slots. */
    private Map<SlotKeeper, Wanted> choose(
            List<SlotKeeper> keepers, Map<SlotGroup, Epoch> epochs, Map<SlotKeeper, ClaimResult> results) {
        Map<Scheme<?>, Integer> counts = new LinkedHashMap<>();
        List<SlotKeeper> left = keepers.stream()
                .filter(keeper -> epochs.containsKey(keeper.group()))
                .toList();
        left.forEach(keeper -> counts.merge(keeper.group().scheme(), 1, Integer::sum));
        Map<Scheme<?>, SlotChooser.Choice> choices = chooser.choose(counts);
        Map<Scheme<?>, Iterator<Slot>> slots = new HashMap<>();
        choices.forEach((scheme, choice) -> slots.put(scheme, choice.slots().iterator()));
        Map<SlotKeeper, Wanted> wanted = new LinkedHashMap<>();
        for (SlotKeeper keeper : left) {
            Scheme<?> scheme = keeper.group().scheme();
            Iterator<Slot> next = Objects.requireNonNull(slots.get(scheme));
            if (next.hasNext()) {
                Epoch epoch = Objects.requireNonNull(epochs.get(keeper.group()));
                wanted.put(keeper, new Wanted(next.next(), epoch));
            } else {
                results.put(
                        keeper,
                        Objects.requireNonNull(choices.get(scheme)).lacking().orElseThrow());
            }
        }
        return wanted;
    }

    /**
     * Has another slot serve in the place of the one that serves, because an operator wants so.
     *
     * @return which slot was changed for which
     * @throws FencedException where no other slot can serve at once; then the old one goes on
     * @throws StoreException when ZooKeeper does not answer, or refuses
     */
    Rotated replace(SlotKeeper keeper, Session session, IncarnationWatch incarnation) {
        String from = keeper.tenure().orElseThrow().slot().name();
        ClaimResult result = Objects.requireNonNull(
                claim(List.of(keeper), session, incarnation, () -> true).get(keeper));
        if (result instanceof ClaimResult.Refused refused) {
            throw refused.cause();
        }
        if (!(result instanceof ClaimResult.Claimed claimed)) {
            throw FencedException.of(FenceReason.NO_FREE_SLOT, "another replica was faster");
        }
        Tenure next = claimed.tenure();
        Slot to = next.slot();
        if (!swap(keeper, next, FenceReason.RELEASED)) {
            long micros = reservation.clock().micros();
            throw Reservation.cooling(to.unit().nanosUntil(next.fence().floorTick(), micros));
        }
        return new Rotated(to.scheme().name(), from, to.name());
    }

    /** Throws while the floor is so far ahead that no slot of the pool would have anything to issue. */
    private void awaitFloor(SlotPool pool, Epoch epoch) {
        long micros = reservation.leaderClock().requireMicros();
        long floor = epoch.firstTick(pool.unit());
        if (floor > reservation.ceiling(pool.unit(), micros)) {
            throw Reservation.cooling(pool.unit().nanosUntil(floor, micros));
        }
    }

    /**
     * Lets the new tenure serve from now on, and ends the old one for this reason, unless the new one would have to wait while the
     * old one need not.
     */
    private boolean swap(SlotKeeper keeper, Tenure claimed, FenceReason why) {
        Optional<Tenure> old = keeper.tenure();
        long now = claimed.slot().unit().tickAt(reservation.clock().micros());
        if (old.isPresent() && claimed.fence().floorTick() > now) {
            claimed.fence().trip(FenceReason.RELEASED, "its ticks are still ahead");
            keeper.tryAgainIn(LeaseLoop.RETRY.toNanos());
            return false;
        }
        releaser.issued().add(claimed);
        keeper.serve(claimed);
        releaser.remove(claimed);
        old.ifPresentOrElse(tenure -> end(keeper, tenure, claimed, why), () -> LeaseLog.claimed(claimed));
        releaser.failures().forget(keeper);
        return true;
    }

    /** Ends the tenure that another one follows, for this reason, unless its fence has tripped meanwhile. */
    private void end(SlotKeeper keeper, Tenure old, Tenure next, FenceReason why) {
        FencedException first = old.end(FencedException.of(why, next + " follows"));
        releaser.add(old);
        keeper.group().tally().fenced(first.reason());
        if (first.reason() != why) {
            LeaseLog.fenced(old, first);
        }
        LeaseLog.claimed(next, old, first.reason());
    }
}
