package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.Optional;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.zk.epoch.Epoch;
import org.idallocator.zk.epoch.Generations;
import org.idallocator.zk.lease.SlotGroup.SlotKeeper;
import org.idallocator.zk.store.ChangedMeanwhileException;
import org.idallocator.zk.store.StoreException;
import org.idallocator.zk.znode.Slot;

/**
 * Sees to it that each scheme has a tenure that serves. It claims a slot where no tenure serves, and another slot before a
 * tenure has lasted as long as its pool allows. Confined to the lease loop's thread.
 */
record SlotFiller(Generations generations, SlotChooser chooser, Claimer claimer, Releaser releaser) {
    private static final long CLAIM_RETRY_NANOS = Duration.ofMillis(10).toNanos();
    private static final int SWAP_FRACTION = 5;

    /** How long {@link #fill} may wait; 0 when a claim is due, because no tenure serves or one is about to end. */
    long nanosUntilDue(SlotKeeper keeper) {
        return Math.max(keeper.tenure().map(this::nanosUntilClaim).orElse(0L), keeper.nanosUntilDue());
    }

    private long nanosUntilClaim(Tenure tenure) {
        Duration longest = tenure.slot().pool().longestTenure().orElse(Duration.ZERO); // none ends in 146 years
        long claimNanos = tenure.grant().endNanos() - longest.toNanos() / SWAP_FRACTION;
        return Math.max(0, claimNanos - claimer.reservation().clock().nanos());
    }

    /**
     * Claims a slot if that is due.
     *
     * @return whether another tenure serves now
     * @throws StoreException {@code UNCERTAIN} or {@code REFUSED} when ZooKeeper does not answer
     */
    boolean fill(SlotKeeper keeper, IncarnationWatch incarnation) {
        if (nanosUntilDue(keeper) > 0) {
            return false;
        }
        try {
            Optional<Tenure> claimed = claim(keeper, incarnation);
            if (claimed.isPresent()) {
                return swap(keeper, claimed.get(), FenceReason.TENURE_ENDED);
            }
            keeper.tryAgainIn(CLAIM_RETRY_NANOS);
        } catch (FencedException e) {
            refused(keeper, e, e);
        } catch (StoreException e) {
            if (e.unanswered()) {
                throw e;
            }
            refused(keeper, e.fenced(), e);
        } catch (ChangedMeanwhileException e) {
            refused(keeper, e.fenced(), e);
        }
        return false;
    }

    private void refused(SlotKeeper keeper, FencedException why, RuntimeException cause) {
        keeper.refuse(why);
        keeper.tryAgainIn(chooser.jittered(LeaseLoop.RETRY).toNanos());
        releaser.failures().failed(keeper, cause);
    }

    /** Claims a slot that is free; empty when somebody else was faster. */
    private Optional<Tenure> claim(SlotKeeper keeper, IncarnationWatch incarnation) {
        SlotPool pool = keeper.group().pool();
        Generations.Seen layout = generations.agreed(
                pool, incarnation.seen(), claimer.reservation().leaderClock());
        incarnation.remember(layout);
        Epoch epoch = new Epoch(incarnation.seen(), layout);
        awaitFloor(pool, epoch);
        Slot slot = chooser.choose(keeper.group().scheme());
        Optional<Tenure> claimed = claimer.claim(slot, epoch);
        claimed.ifPresent(tenure -> keeper.group().tally().claims.increment());
        return claimed;
    }

    /**
     * Has another slot serve in the place of the one that serves, because an operator wants so.
     *
     * @return which slot was changed for which
     * @throws FencedException where no other slot can serve at once; then the old one goes on
     * @throws StoreException when ZooKeeper does not answer, or refuses
     */
    Rotated replace(SlotKeeper keeper, IncarnationWatch incarnation) {
        String from = keeper.tenure().orElseThrow().slot().name();
        Tenure next = claim(keeper, incarnation)
                .orElseThrow(() -> FencedException.of(FenceReason.NO_FREE_SLOT, "another replica was faster"));
        Slot to = next.slot();
        if (!swap(keeper, next, FenceReason.RELEASED)) {
            long micros = claimer.reservation().clock().micros();
            throw Reservation.cooling(to.unit().nanosUntil(next.fence().floorTick(), micros));
        }
        return new Rotated(to.scheme().name(), from, to.name());
    }

    /** Throws while the floor is so far ahead that no slot of the pool would have anything to issue. */
    private void awaitFloor(SlotPool pool, Epoch epoch) {
        long micros = claimer.reservation().leaderClock().requireMicros();
        long floor = epoch.firstTick(pool.unit());
        if (floor > claimer.reservation().ceiling(pool.unit(), micros)) {
            throw Reservation.cooling(pool.unit().nanosUntil(floor, micros));
        }
    }

    /**
     * Lets the new tenure serve from now on, and ends the old one for this reason, unless the new one would have to wait while the
     * old one need not.
     */
    private boolean swap(SlotKeeper keeper, Tenure claimed, FenceReason why) {
        Optional<Tenure> old = keeper.tenure();
        long now = claimed.slot().unit().tickAt(claimer.reservation().clock().micros());
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
