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
 * What ZooKeeper showed of pools and replicas when it was asked last. A background thread asks ZooKeeper, and only
 * while somebody wants to know. However many people and scrapers there are, they share one question. Thread-safe; never
 * waits.
 */
public final class ClusterWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /** How long ZooKeeper is not asked again after a question, while people look. */
    static final Duration PAUSE_FOR_PEOPLE = Duration.ofSeconds(3);

    /** How long ZooKeeper is not asked again after a question, while only scrapers look. */
    static final Duration PAUSE_FOR_SCRAPERS = Duration.ofSeconds(30);

    /**
     * The largest age of what scrapers are told, inclusive. So the first scrape after a long pause gets no old answer.
     */
    static final Duration MAX_AGE_FOR_SCRAPERS = Duration.ofMinutes(2);

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
     * @param observation the last observation; empty before the first
     * @param failure why the latest question was not answered; empty when it was answered
     */
    public record Snapshot(Optional<Observation> observation, Optional<String> failure) {}

    /**
     * What ZooKeeper answered once.
     *
     * @param at when ZooKeeper was asked, by this replica's clock
     * @param nanos when ZooKeeper was asked, in monotonic time
     * @param cluster the answer
     */
    public record Observation(Instant at, long nanos, ClusterState cluster) {}

    /**
     * A watch that has seen nothing yet. {@code cluster} asks ZooKeeper, and may wait for long; it runs on
     * {@code background}.
     */
    public ClusterWatch(Supplier<ClusterState> cluster, Executor background, Clock clock) {
        this.cluster = cluster;
        this.background = background;
        this.clock = clock;
        this.endedNanos = clock.nanos() - PAUSE_FOR_SCRAPERS.toNanos();
    }

    /**
     * For people: the last observation, however old, and why there is none newer. Has ZooKeeper asked again after
     * {@link #PAUSE_FOR_PEOPLE}.
     */
    public Snapshot snapshot() {
        return snapshot(PAUSE_FOR_PEOPLE);
    }

    /**
     * For scrapers: the last observation; empty where it is older than {@link #MAX_AGE_FOR_SCRAPERS}, or the latest
     * question was not answered. Has ZooKeeper asked again after {@link #PAUSE_FOR_SCRAPERS}.
     */
    public Optional<Observation> recent() {
        Snapshot last = snapshot(PAUSE_FOR_SCRAPERS);
        return last.observation()
                .filter(observation ->
                        last.failure().isEmpty() && age(observation).compareTo(MAX_AGE_FOR_SCRAPERS) <= 0);
    }

    /** How long ago ZooKeeper was asked for an observation. */
    public Duration age(Observation observation) {
        return since(observation.nanos());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    /**
     * What is known now. If the last question ended at least {@code pause} ago, has ZooKeeper asked again, for whoever
     * wants to know next.
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
        long nanos = clock.nanos(); // before the question, so that what is seen is not older
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
