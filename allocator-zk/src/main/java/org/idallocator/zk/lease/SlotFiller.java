package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.zk.store.Session;

/**
 * Sees to it that each scheme has a tenure that serves. It claims a slot where no tenure serves, and another slot
 * before a tenure has lasted as long as its pool allows. Confined to the lease loop's thread.
 */
final class SlotFiller {
    private static final long CLAIM_RETRY_NANOS = Duration.ofMillis(10).toNanos();
    private static final int NEXT_SLOT_FRACTION = 5;

    private final SlotClaims claims;
    private final Clock clock;
    private final Random random;
    private final Releaser releaser;
    private final IssuedTicks issued;
    private final RetryLog failures;
    private final List<SlotKeeper> keepers;
    private final Runnable beforeServing;
    private final RoundUnderWay round = new RoundUnderWay();

    /**
     * Claims nothing yet.
     *
     * @param releaser has each tenure that was claimed and does not serve
     * @param issued hears of each tenure before it serves
     * @param failures tells why a keeper has no tenure
     * @param beforeServing is called before a tenure serves that did not
     */
    SlotFiller(
            SlotClaims claims,
            Clock clock,
            Random random,
            Releaser releaser,
            IssuedTicks issued,
            RetryLog failures,
            List<SlotKeeper> keepers,
            Runnable beforeServing) {
        this.claims = claims;
        this.clock = clock;
        this.random = random;
        this.releaser = releaser;
        this.issued = issued;
        this.failures = failures;
        this.keepers = List.copyOf(keepers);
        this.beforeServing = beforeServing;
    }

    /**
     * How long the next part of a claim may wait; 0 where one is under way, and where no tenure serves, or one is about
     * to end.
     */
    long nanosUntilDue() {
        return round.isThere()
                ? 0
                : keepers.stream().mapToLong(this::nanosUntilDue).min().orElse(Task.NEVER);
    }

    private long nanosUntilDue(SlotKeeper keeper) {
        return Math.max(keeper.tenure().map(this::nanosUntilClaim).orElse(0L), keeper.nanosUntilDue());
    }

    private long nanosUntilClaim(Tenure tenure) {
        Optional<Duration> longest = tenure.slot().pool().longestTenure();
        if (longest.isEmpty()) {
            return Task.NEVER;
        }
        long endNanos = tenure.grant().endNanos().orElseThrow();
        long claimNanos = endNanos - longest.get().toNanos() / NEXT_SLOT_FRACTION;
        return Math.max(0, claimNanos - clock.nanos());
    }

    /** What is being claimed is not wanted any more, or is chosen anew. Nothing of it was claimed. */
    void drop() {
        round.drop();
    }

    /** Does the next part of a claim that is due. Where this throws what a claim throws, slots are chosen anew. */
    void advance(Session session) {
        round.advance(() -> claims.newRound(due()), session).ifPresent(this::serveOrRefuse);
    }

    private List<SlotKeeper> due() {
        return keepers.stream().filter(keeper -> nanosUntilDue(keeper) == 0).toList();
    }

    /**
     * Lets keepers serve from what was claimed for them, or says why there is nothing. Those that were refused try
     * again together.
     */
    private void serveOrRefuse(Map<SlotKeeper, ClaimResult> results) {
        long now = clock.nanos();
        long retryNanos = now + jittered(LeaseLoop.RETRY).toNanos();
        results.forEach((keeper, result) -> {
            if (result instanceof ClaimResult.Claimed claimed) {
                var unused = letServe(keeper, claimed.tenure(), FenceReason.TENURE_ENDED);
            } else if (result instanceof ClaimResult.Refused refused) {
                keeper.refuse(refused.why());
                keeper.tryAgainAt(retryNanos);
                failures.tellFailure(keeper, refused.cause());
            } else {
                keeper.tryAgainAt(now + CLAIM_RETRY_NANOS);
            }
        });
    }

    /**
     * How long to wait before another try: at random from half of {@code base} to one and a half, so that replicas
     * spread.
     */
    private Duration jittered(Duration base) {
        return base.multipliedBy(50 + random.nextInt(100)).dividedBy(100);
    }

    /**
     * Lets the new tenure serve from now on, and ends the old one for this reason, unless the new one would have to
     * wait while the old one need not: then the old one goes on.
     *
     * @return why the old one goes on; empty where the new one serves
     */
    Optional<FencedException> letServe(SlotKeeper keeper, Tenure claimed, FenceReason why) {
        keeper.schemeSlots().tally().countClaim();
        long micros = clock.micros();
        long floorTick = claimed.fence().floorTick();
        keeper.tripIfOverdue();
        if (keeper.openTenure().isPresent() && floorTick > claimed.slot().unit().tickAt(micros)) {
            claimed.fence().trip(FenceReason.RELEASED, "its ticks are still ahead");
            keeper.tryAgainAt(clock.nanos() + LeaseLoop.RETRY.toNanos());
            return Optional.of(LeaseRules.cooling(claimed.slot().unit().nanosUntil(floorTick, micros)));
        }
        beforeServing.run();
        Optional<Tenure> old = keeper.tenure();
        issued.add(claimed);
        keeper.serve(claimed);
        releaser.remove(claimed);
        old.ifPresentOrElse(tenure -> end(keeper, tenure, claimed, why), () -> LeaseLog.claimed(claimed));
        failures.forget(keeper);
        return Optional.empty();
    }

    /** Ends the tenure that another one follows, for this reason, unless its fence has tripped meanwhile. */
    private void end(SlotKeeper keeper, Tenure old, Tenure next, FenceReason why) {
        FencedException first = old.end(FencedException.of(why, next + " follows"));
        releaser.add(old);
        keeper.schemeSlots().tally().countFence(first.reason());
        if (first.reason() != why) {
            LeaseLog.fenced(old, first);
        }
        LeaseLog.claimed(next, old, first.reason());
    }
}
