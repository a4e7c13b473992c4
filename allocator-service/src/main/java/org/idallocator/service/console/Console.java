package org.idallocator.service.console;

import com.codahale.metrics.health.HealthCheckRegistry;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.service.api.Visibility;
import org.idallocator.service.health.ClusterWatch;
import org.idallocator.service.health.HealthSetup;
import org.idallocator.service.metrics.IdMetrics.Drawn;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.HeldSlot;
import org.idallocator.zk.lease.SchemeStatus;
import org.idallocator.zk.operator.PoolView;
import org.idallocator.zk.settings.AllocatorSettings;

/**
 * What the console shows, put together from what the replica knows at this moment and what ZooKeeper showed last. Never waits.
 * Thread-safe.
 *
 * @param source the replica
 * @param settings its settings
 * @param checks the program's health checks, of which one tells whether the replica is ready
 * @param counts what was drawn over HTTP; empty where that is not counted, because nothing is drawn over HTTP
 * @param watch what ZooKeeper showed
 */
public record Console(
        IdSource source,
        AllocatorSettings settings,
        HealthCheckRegistry checks,
        Optional<Counts> counts,
        ClusterWatch watch) {

    /** What everybody is told of ZooKeeper; the words may name servers, and what these say of credentials. */
    private static final String UNANSWERED = "ZooKeeper does not answer";

    /**
     * What was drawn over HTTP.
     *
     * @param drawn how many IDs of a scheme, since the start
     * @param busy how many requests were refused as busy since the start, by the limit
     */
    public record Counts(Function<String, Drawn> drawn, Supplier<Map<String, Long>> busy) {}

    /**
     * The state now.
     *
     * @param look the look that the browser has; empty when it has none
     * @param application where the application port is, on the admin port; empty on the application port itself, where nobody
     *     is told process IDs, tenures, and the words of failures
     * @param discretion what is told of why schemes are fenced
     */
    ConsoleState state(String look, Optional<ApplicationPort> application, Visibility discretion) {
        boolean forOperator = application.isPresent();
        List<SchemeStatus> statuses = source.schemes().stream()
                .map(source::status)
                .map(discretion::told)
                .toList();
        List<HeldSlot> held = source.held();
        return new ConsoleState(
                Instant.EPOCH.plus(Clock.system().micros(), ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS),
                source.leaving(),
                HealthSetup.isReady(checks),
                self(forOperator),
                application,
                statuses.stream().map(status -> scheme(status, held)).toList(),
                counts.map(counted -> counted.busy().get()).orElse(null),
                cluster(look, forOperator));
    }

    private ConsoleState.Self self(boolean forOperator) {
        return new ConsoleState.Self(
                settings.replica().instance(),
                settings.replica().host(),
                forOperator ? settings.replica().pid() : null,
                settings.window().toMillis(),
                settings.zookeeper().sessionTimeout().toMillis());
    }

    private ConsoleState.OfScheme scheme(SchemeStatus status, List<HeldSlot> held) {
        Optional<Drawn> drawn = counts.map(counted -> counted.drawn().apply(status.scheme()));
        Optional<FencedException> fenced = status.fenced();
        return new ConsoleState.OfScheme(
                status.scheme(),
                named(status.scheme()).pool().isPresent(),
                status.active() ? "active" : "fenced",
                fenced.map(why -> why.reason().code()),
                fenced.map(FencedException::getMessage),
                status.slots().map(slots -> slots.bounds().min()),
                status.slots().map(slots -> slots.bounds().max()),
                status.slots().map(SchemeStatus.Slots::serving),
                status.lacking().map(FencedException::getMessage),
                held.stream()
                        .filter(slot -> slot.scheme().equals(status.scheme()))
                        .map(Console::held)
                        .toList(),
                drawn.map(Drawn::issued).orElse(null),
                drawn.map(Drawn::refused).orElse(null));
    }

    private static ConsoleState.Held held(HeldSlot slot) {
        return new ConsoleState.Held(
                slot.slot(), slot.since(), slot.reservedThrough(), slot.timeLeftMillis(), slot.deadlineMillis());
    }

    private ConsoleState.Cluster cluster(String known, boolean forOperator) {
        ClusterWatch.Seen seen = watch.seen();
        Optional<ClusterWatch.Look> look = seen.look();
        Optional<String> name = look.map(last -> last.at().toString());
        boolean unchanged = name.filter(known::equals).isPresent();
        Pools pools = new Pools(settings.replica(), forOperator);
        Optional<ClusterWatch.Look> changed = look.filter(last -> !unchanged);
        return new ConsoleState.Cluster(
                name,
                look.map(last -> watch.age(last).toMillis()),
                seen.failure().map(why -> forOperator ? why : UNANSWERED),
                changed.map(last -> last.fleet().pools().stream()
                        .flatMap(pool -> pool(pools, pool).stream())
                        .toList()),
                changed.map(last ->
                        last.fleet().members().stream().map(pools::replica).toList()));
    }

    private Optional<ConsoleState.Pool> pool(Pools pools, PoolView view) {
        return named(view.counts().scheme()).pool().map(pool -> pools.pool(pool, view));
    }

    private Scheme<?> named(String scheme) {
        return Schemes.named(scheme, source.schemes());
    }
}
