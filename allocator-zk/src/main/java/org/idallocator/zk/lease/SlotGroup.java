package org.idallocator.zk.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
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
 * One scheme on this replica: a keeper for each of the slots that it is to hold. Callers draw from all that serve; where there is to
 * be one, straight from that. Callers read a group and its keepers from any thread; only the lease loop's thread changes them.
 */
final class SlotGroup implements TenureSource<Generator> {
    /** A tenure that ends sooner has hardly served. */
    static final Duration BRIEF = Duration.ofSeconds(1);

    private static final long SHORTEST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(5).toNanos();

    private final Scheme<?> scheme;
    private final SlotPool pool;
    private final Clock clock;
    private final Duration maxWait;
    private final LeaseTally tally = new LeaseTally();
    private final List<SlotKeeper> keepers;
    private volatile @Nullable LoadBalancer balancer;
    private List<Tenure> balanced = List.of();

    /**
     * A group without a tenure.
     *
     * @param scheme one with slots
     * @param settings how many slots it is to hold, and how long a call may wait: a longer wait counts as a refusal
     */
    SlotGroup(Scheme<?> scheme, AllocatorSettings settings, Clock clock) {
        this.scheme = scheme;
        this.pool = scheme.pool().orElseThrow();
        this.clock = clock;
        this.maxWait = settings.maxWait();
        this.keepers =
                Stream.generate(SlotKeeper::new).limit(settings.leases(scheme)).toList();
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
        List<FencedException> refusals =
                keepers.stream().flatMap(keeper -> keeper.fenced().stream()).toList();
        int serving = keepers.size() - refusals.size();
        Optional<FencedException> lacking = refusals.stream().findFirst();
        Optional<FencedException> fenced = serving == 0 ? lacking : Optional.empty();
        Optional<HeldSlot> first = keepers.stream()
                .flatMap(keeper -> keeper.open().stream())
                .findFirst()
                .map(tenure -> tenure.held(tree, clock.micros()));
        SchemeStatus.Slots slots = new SchemeStatus.Slots(serving, keepers.size());
        return new SchemeStatus(scheme.name(), fenced, first, Optional.of(slots), lacking);
    }

    @Override
    public String toString() {
        return scheme.name();
    }

    /** One of a replica's slots of the scheme: the tenure that serves, or why none does. */
    final class SlotKeeper implements TenureSource<Generator> {
        private volatile @Nullable Tenure serving;
        private volatile FencedException refusal = FencedException.of(FenceReason.STARTING, "just started");
        private long servedFromNanos;
        private int brief; // how many tenures in a row have hardly served
        private long nextTryNanos = clock.nanos();

        SlotGroup group() {
            return SlotGroup.this;
        }

        @Override
        public Generator current() {
            Tenure tenure = serving;
            if (tenure == null) {
                throw refusal;
            }
            return tenure.generator();
        }

        Optional<Tenure> tenure() {
            return Optional.ofNullable(serving);
        }

        /** From now on this tenure serves. Whoever calls this ends any that did before, and counts that. */
        void serve(Tenure tenure) {
            servedFromNanos = clock.nanos(); // first: what breaks before callers draw leaves the tenure as it was
            tenure.serve();
            serving = tenure;
            tally.tenures.increment();
            changed();
        }

        /** Callers are told why from now on, unless a tenure serves. */
        void refuse(FencedException why) {
            refusal = why;
        }

        /** The tenure, if its fence has tripped: from now on it does not serve, callers are told why, and the next claim may have to wait. */
        Optional<Tenure> collect() {
            Tenure tenure = serving;
            FencedException fenced = tenure == null ? null : tenure.fence().fenced();
            if (tenure == null || fenced == null) {
                return Optional.empty();
            }
            long now = clock.nanos(); // first: whatever throws, the tenure is not forgotten
            LeaseLog.fenced(tenure, fenced);
            // callers hear of a drain from the replica's state, until it ends
            boolean drained = fenced.reason() == FenceReason.DRAINED;
            refusal = drained ? FencedException.of(FenceReason.STARTING, "resumed, waits for ZooKeeper") : fenced;
            serving = null;
            tenure.end(fenced);
            tally.fenced(fenced.reason());
            changed();
            long pauseNanos = drained ? 0 : Math.max(nextTryNanos - now, pauseNanos(now - servedFromNanos));
            nextTryNanos = now + pauseNanos;
            return Optional.of(tenure);
        }

        /**
         * How long the next claim waits after a tenure that served for so long: not at all after the first loss; where tenures end as soon
         * as they begin, one after the other, each time twice as long. So whatever ends them, claims stay few.
         */
        private long pauseNanos(long servedNanos) {
            brief = servedNanos < BRIEF.toNanos() ? brief + 1 : 0;
            return brief < 2 ? 0 : Math.min(LONGEST_PAUSE_NANOS, SHORTEST_PAUSE_NANOS << Math.min(brief - 2, 10));
        }

        long nanosUntilDue() {
            return Math.max(0, nextTryNanos - clock.nanos());
        }

        /** The next claim waits until this instant of the clock. */
        void tryAgainAt(long nanos) {
            nextTryNanos = nanos;
        }

        /** The tenure, unless its fence has tripped. */
        Optional<Tenure> open() {
            return tenure().filter(tenure -> tenure.fence().fenced() == null);
        }

        /** Why nothing can be drawn from this slot now; empty while it serves. */
        Optional<FencedException> fenced() {
            Tenure tenure = serving;
            if (tenure == null) {
                return Optional.of(refusal);
            }
            FencedException fenced = tenure.fence().fenced();
            return fenced == null ? waiting(tenure) : Optional.of(fenced);
        }

        /** Why draws fail although the fence has not tripped; empty when they do not. */
        private Optional<FencedException> waiting(Tenure tenure) {
            long micros = clock.micros();
            long tick = pool.unit().tickAt(micros);
            long ceiling = tenure.fence().ceilingTick();
            return tick > ceiling
                    ? Optional.of(FencedException.of(
                            FenceReason.CEILING_PASSED, "tick " + tick + " is above the ceiling " + ceiling))
                    : Reservation.tooLong(tenure, micros, Duration.ZERO, maxWait);
        }

        @Override
        public String toString() {
            return scheme.name();
        }
    }
}
