package org.idallocator.service.health;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.logging.FailureLog;
import org.idallocator.zk.operator.ClusterState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ZooKeeper showed of pools and replicas when it was last asked. ZooKeeper is asked in the background, and only while somebody
 * wants to know: however many people and scrapers there are, they cost it one look. Thread-safe; never waits.
 */
public final class ClusterWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    /** How long ZooKeeper is left alone after a look while people look. */
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
    private volatile Seen seen = new Seen(Optional.empty(), Optional.empty());

    /**
     * What was seen.
     *
     * @param look the last look that ZooKeeper answered; empty before the first
     * @param failure why the latest question was not answered; empty when it was
     */
    public record Seen(Optional<Look> look, Optional<String> failure) {}

    /**
     * One look.
     *
     * @param at when ZooKeeper was asked, by this replica's clock
     * @param nanos the same, in monotonic time
     * @param fleet what it said
     */
    public record Look(Instant at, long nanos, ClusterState fleet) {}

    /** A watch that has seen nothing yet. {@code cluster} asks ZooKeeper, and may wait for long; {@code background} runs it. */
    public ClusterWatch(Supplier<ClusterState> cluster, Executor background, Clock clock) {
        this.cluster = cluster;
        this.background = background;
        this.clock = clock;
        this.endedNanos = clock.nanos() - SLOW.toNanos();
    }

    /** What people are shown: what was seen last, however old, and why there is nothing newer. Asked again after {@link #FAST}. */
    public Seen seen() {
        return seen(FAST);
    }

    /**
     * What scrapers are told: what was seen, unless that is older than {@link #OLDEST}, or ZooKeeper has not answered since. Asked
     * again after {@link #SLOW}.
     */
    public Optional<Look> recent() {
        Seen last = seen(SLOW);
        return last.look().filter(look -> last.failure().isEmpty() && age(look).compareTo(OLDEST) <= 0);
    }

    /** How long ago ZooKeeper was asked. */
    public Duration age(Look look) {
        return since(look.nanos());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(clock.nanos() - nanos);
    }

    /** Where the last look ended {@code pause} ago, ZooKeeper is asked again, whether it answered or not, for those who want to know next. */
    private Seen seen(Duration pause) {
        Seen last = seen;
        if (since(endedNanos).compareTo(pause) >= 0 && asking.compareAndSet(false, true)) {
            try {
                background.execute(this::look);
            } catch (RejectedExecutionException e) {
                LOG.debug("the program stops: ZooKeeper is asked no more", e);
            }
        }
        return last;
    }

    private void look() {
        long nanos = clock.nanos(); // what is seen is not older than this
        Instant at = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        try {
            seen = new Seen(Optional.of(new Look(at, nanos, cluster.get())), Optional.empty());
            failures.succeeded();
        } catch (RuntimeException e) {
            seen = new Seen(seen.look(), Optional.of(String.valueOf(e.getMessage())));
            failures.failed("ZooKeeper cannot be asked for pools and replicas", e);
        } finally {
            endedNanos = clock.nanos();
            asking.set(false);
        }
    }
}
