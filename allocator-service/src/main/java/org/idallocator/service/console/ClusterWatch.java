package org.idallocator.service.console;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.service.failures.RepeatedFailures;
import org.idallocator.zk.operator.FleetView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What ZooKeeper showed of pools and replicas when it was last asked. ZooKeeper is asked in the background, every {@link #EVERY} at
 * most, and only while somebody looks: however many browsers there are, they cost it one look. Thread-safe; never waits.
 */
public final class ClusterWatch {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

    static final Duration EVERY = Duration.ofSeconds(3);

    /** Each node is asked for, and they seldom change. */
    static final Duration STRANGERS_EVERY = Duration.ofMinutes(1);

    private final Supplier<FleetView> cluster;
    private final Supplier<Optional<String>> strangers;
    private final Executor executor;
    private final Clock clock;
    private final RepeatedFailures failures = new RepeatedFailures(LOG);
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Optional<Long> askedNanos = Optional.empty();
    private volatile Seen seen = new Seen(Optional.empty(), Optional.empty());

    /**
     * What was seen.
     *
     * @param look the last look that ZooKeeper answered; empty before the first
     * @param failure why the latest question was not answered; empty when it was
     */
    record Seen(Optional<Look> look, Optional<String> failure) {}

    /**
     * One look.
     *
     * @param at when ZooKeeper was asked, by this replica's clock
     * @param nanos the same, in monotonic time
     * @param fleet what it said
     * @param strangers which nodes strangers may write
     */
    record Look(Instant at, long nanos, FleetView fleet, Strangers strangers) {}

    /**
     * Which nodes strangers may write.
     *
     * @param words says so; empty where they may write none
     * @param nanos when ZooKeeper was asked, in monotonic time
     */
    record Strangers(Optional<String> words, long nanos) {}

    /**
     * A watch that has seen nothing yet. Both suppliers ask ZooKeeper, on a thread of the executor.
     *
     * @param cluster the fleet
     * @param strangers which nodes strangers may write, in words; it is asked once a minute at most
     */
    public ClusterWatch(
            Supplier<FleetView> cluster, Supplier<Optional<String>> strangers, Executor executor, Clock clock) {
        this.cluster = cluster;
        this.strangers = strangers;
        this.executor = executor;
        this.clock = clock;
    }

    /** What was seen last. Where ZooKeeper was last asked a while ago, it is asked again, for those who look next. */
    Seen seen() {
        Seen now = seen;
        if (asking.compareAndSet(false, true)) {
            ask();
        }
        return now;
    }

    /** How long ago a look was. */
    Duration age(Look look) {
        return since(look.nanos());
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(Math.max(0, clock.nanos() - nanos));
    }

    /** Whether ZooKeeper answered or not: while it does not, nobody asks it more often. */
    private boolean isDue() {
        return askedNanos.map(nanos -> since(nanos).compareTo(EVERY) >= 0).orElse(true);
    }

    private void ask() {
        if (!isDue()) {
            asking.set(false);
            return;
        }
        try {
            executor.execute(this::look);
        } catch (RejectedExecutionException e) {
            asking.set(false);
            LOG.debug("the program stops", e);
        }
    }

    private Strangers strangers(long nanos) {
        return seen.look()
                .map(Look::strangers)
                .filter(before -> nanos - before.nanos() < STRANGERS_EVERY.toNanos())
                .orElseGet(() -> new Strangers(strangers.get(), nanos));
    }

    private void look() {
        long nanos = clock.nanos();
        askedNanos = Optional.of(nanos);
        Instant at = Instant.EPOCH.plus(clock.micros(), ChronoUnit.MICROS);
        try {
            seen = new Seen(Optional.of(new Look(at, nanos, cluster.get(), strangers(nanos))), Optional.empty());
            failures.succeeded();
        } catch (RuntimeException e) {
            seen = new Seen(seen.look(), Optional.of(String.valueOf(e.getMessage())));
            failures.failed("ZooKeeper cannot be asked for what the console shows", e);
        } finally {
            asking.set(false);
        }
    }
}
