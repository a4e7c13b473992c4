package org.idallocator.dropwizard.health;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.dropwizard.logging.FailureLog;
import org.idallocator.zk.operator.ClusterState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ZooKeeper showed of pools and replicas when it was last asked. ZooKeeper is asked in the background, and only
 * while somebody wants to know: however many people and scrapers there are, they cost it one question. Thread-safe;
 * never waits.
 */
public final class ClusterWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /** How long ZooKeeper is left alone after a question while people look. */
    static final Duration FAST = Duration.ofSeconds(3);

    /** The same while nobody wants to know but scrapers. */
    static final Duration SLOW = Duration.ofSeconds(30);

    /** What is older is told to no scraper: the first one after a long silence gets no old answer. */
    static final Duration OLDEST = Duration.ofMinutes(2);

    private final Supplier<ClusterState> cluster;
    private final Executor background;
    private final Clock clock;
    private final FailureLog failures = new FailureLog(LOG);
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile long endedNanos;
    private volatile Snapshot snapshot = new Snapshot(Optional.empty(), Optional.empty());

    /**
     * What is known at a moment.
     *
     * @param observation the last one; empty before the first
     * @param failure why the latest question was not answered; empty when it was
     */
    public record Snapshot(Optional<Observation> observation, Optional<String> failure) {}

    /**
     * What ZooKeeper answered once.
     *
     * @param at when ZooKeeper was asked, by this replica's clock
     * @param nanos the same, in monotonic time
     * @param cluster what it said
     */
    public record Observation(Instant at, long nanos, ClusterState cluster) {}

    /**
     * A watch that has seen nothing yet. {@code cluster} asks ZooKeeper, and may wait for long; {@code background} runs
     * it.
     */
    public ClusterWatch(Supplier<ClusterState> cluster, Executor background, Clock clock) {
        this.cluster = cluster;
        this.background = background;
        this.clock = clock;
        this.endedNanos = clock.nanos() - SLOW.toNanos();
    }

    /**
     * What people are shown: what was seen last, however old, and why there is nothing newer. Asked again after
     * {@link #FAST}.
     */
    public Snapshot snapshot() {
        return snapshot(FAST);
    }

    /**
     * What scrapers are told: what was seen, unless that is older than {@link #OLDEST}, or ZooKeeper has not answered
     * since. Asked again after {@link #SLOW}.
     */
    public Optional<Observation> recent() {
        Snapshot last = snapshot(SLOW);
        return last.observation()
                .filter(observation ->
                        last.failure().isEmpty() && age(observation).compareTo(OLDEST) <= 0);
    }

    /** How long ago ZooKeeper was asked. */
    public Duration age(Observation observation) {
        return since(observation.nanos());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    /**
     * What is known now. Where the last question ended {@code pause} ago, ZooKeeper is asked again, whether it answered
     * or not, for those who want to know next.
     */
    private Snapshot snapshot(Duration pause) {
        Snapshot last = snapshot;
        if (since(endedNanos).compareTo(pause) >= 0 && asking.compareAndSet(false, true)) {
            try {
                background.execute(this::refresh);
            } catch (RejectedExecutionException e) {
                LOG.debug("the program stops: ZooKeeper is asked no more", e);
            }
        }
        return last;
    }

    private void refresh() {
        long nanos = clock.nanos(); // what is seen is not older than this
        Instant at = clock.instant();
        try {
            snapshot = new Snapshot(Optional.of(new Observation(at, nanos, cluster.get())), Optional.empty());
            failures.succeeded();
        } catch (RuntimeException e) {
            snapshot = new Snapshot(snapshot.observation(), Optional.of(String.valueOf(e.getMessage())));
            failures.failed("ZooKeeper cannot be asked for pools and replicas", e);
        } finally {
            endedNanos = clock.nanos();
            asking.set(false);
        }
    }
}
