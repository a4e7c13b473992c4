package org.idallocator.dropwizard.console;

import com.codahale.metrics.health.HealthCheckRegistry;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.id.BadValueException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SlotPool;
import org.idallocator.dropwizard.api.SchemeState;
import org.idallocator.dropwizard.api.Visibility;
import org.idallocator.dropwizard.decode.UnreadableIdException;
import org.idallocator.dropwizard.health.ClusterWatch;
import org.idallocator.dropwizard.health.HealthSetup;
import org.idallocator.dropwizard.metrics.IdMetrics;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.ClusterState;
import org.idallocator.zk.operator.LeaseView;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * Collects what the console shows: what the replica knows at this moment, and what ZooKeeper showed last. Never waits
 * for ZooKeeper, except in {@link #read}. Thread-safe.
 */
public final class Console {
    /** The size of the largest pool that is drawn slot by slot, and the length of the longest list of slots. */
    private static final int MAX_DRAWN_SLOTS = 1_024;

    /** What the public reads when ZooKeeper does not answer. The real words may name servers or credentials. */
    private static final String UNANSWERED = "ZooKeeper does not answer";

    private final IdSource source;
    private final AllocatorSettings settings;
    private final HealthCheckRegistry checks;
    private final Supplier<Optional<IdMetrics>> draws;
    private final ClusterWatch watch;

    /**
     * The console of a replica.
     *
     * @param source the replica
     * @param settings the replica's settings
     * @param checks the program's health checks, one of which tells whether the replica is ready
     * @param draws asked for at each look: the metrics of draws over HTTP; empty where nothing is drawn over HTTP
     * @param watch shows what ZooKeeper answered last
     */
    public Console(
            IdSource source,
            AllocatorSettings settings,
            HealthCheckRegistry checks,
            Supplier<Optional<IdMetrics>> draws,
            ClusterWatch watch) {
        this.source = source;
        this.settings = settings;
        this.checks = checks;
        this.draws = draws;
        this.watch = watch;
    }

    /**
     * The state now.
     *
     * @param known the name of the look that the browser has; empty when the browser has none
     * @param application where the console of the application port is, for the admin port's console; empty for the
     *     application port's own
     * @param visibility whether reasons may tell whereabouts
     */
    ConsoleState state(String known, Optional<ApplicationPort> application, Visibility visibility) {
        List<HeldSlot> held = source.held();
        return new ConsoleState(
                Clock.system().instant().truncatedTo(ChronoUnit.MILLIS),
                source.leaving(),
                HealthSetup.isReady(checks),
                settings.replica(),
                source.outage(),
                application,
                source.schemes().stream()
                        .map(scheme -> scheme(scheme, visibility.redacted(source.status(scheme)), held))
                        .toList(),
                draws.get().map(IdMetrics::busy).orElse(null),
                cluster(known, visibility, held));
    }

    /**
     * Reads a text that somebody pasted in. May ask ZooKeeper who holds a slot.
     *
     * @throws UnreadableIdException when the text is no ID
     * @throws BadValueException when the text is blank or too long
     */
    Reading read(String text, Visibility visibility) {
        return Reading.of(text, source, visibility);
    }

    private ConsoleState.SchemeView scheme(Scheme<?> scheme, SchemeStatus status, List<HeldSlot> held) {
        return new ConsoleState.SchemeView(
                scheme.name(),
                scheme.pool().isPresent(),
                scheme.pool().map(pool -> settings.window(scheme).toMillis()),
                SchemeState.of(status),
                status.fenced().map(why -> why.reason().code()),
                status.fenced().map(FencedException::getMessage),
                status.slots().map(SchemeStatus.Slots::leases),
                status.slots().map(SchemeStatus.Slots::serving),
                status.lacking().map(FencedException::getMessage),
                held.stream()
                        .filter(slot -> slot.scheme().equals(scheme.name()))
                        .toList(),
                draws.get().map(counted -> counted.drawn(scheme.name())).orElse(null));
    }

    private ConsoleState.Cluster cluster(String known, Visibility visibility, List<HeldSlot> held) {
        ClusterWatch.Snapshot snapshot = watch.snapshot();
        Optional<ClusterWatch.Observation> observation = snapshot.observation();
        Optional<String> name = observation.map(last -> last.at().toString());
        Optional<ClusterState> unknown = name.filter(known::equals).isPresent()
                ? Optional.empty()
                : observation.map(ClusterWatch.Observation::cluster);
        return new ConsoleState.Cluster(
                name,
                observation.map(last -> watch.age(last).toMillis()),
                snapshot.failure().map(why -> visibility.tellsWhereabouts() ? why : UNANSWERED),
                unknown.map(cluster ->
                        cluster.pools().stream().map(view -> pool(view, held)).toList()),
                unknown.map(ClusterState::members));
    }

    /**
     * The pool, with the slots that this replica holds first, then the others in the order in which
     * {@link LeaseView.State} declares their states.
     */
    private ConsoleState.Pool pool(PoolView view, List<HeldSlot> held) {
        PoolView.Counts counts = view.counts();
        Set<String> own = held.stream()
                .filter(slot -> slot.scheme().equals(counts.scheme()))
                .map(HeldSlot::slot)
                .collect(Collectors.toSet());
        SlotPool pool = Schemes.named(counts.scheme(), source.schemes()).pool().orElseThrow();
        return new ConsoleState.Pool(
                counts,
                LongStream.range(0, counts.size() <= MAX_DRAWN_SLOTS ? counts.size() : 0)
                        .mapToObj(pool.ofSize(counts.size())::nameOf)
                        .toList(),
                view.slots().stream()
                        .filter(slot -> slot.state() != LeaseView.State.FREE)
                        .sorted(Comparator.comparing((LeaseView slot) -> !own.contains(slot.slot()))
                                .thenComparing(LeaseView::state))
                        .limit(MAX_DRAWN_SLOTS)
                        .toList());
    }
}
