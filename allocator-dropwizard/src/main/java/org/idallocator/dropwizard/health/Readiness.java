package org.idallocator.dropwizard.health;

import com.codahale.metrics.health.HealthCheck;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.fence.FenceReason;
import org.idallocator.core.fence.FencedException;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.zk.IdSource;
import org.idallocator.zk.lease.SchemeStatus;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Passes when load balancers should send requests to this replica: at least one scheme with leases serves, and each
 * scheme with leases has as many serving slots as it should have.
 *
 * <p>A scheme that met a full pool before it ever served does not count until it serves, because the replica serves its
 * other schemes. It does not count either while it waits for a slot to cool or for ZooKeeper; but it counts in a state
 * that an operator has to end. A replica without any scheme with leases is always ready, except while it is drained or
 * about to be.
 */
final class Readiness extends HealthCheck {
    /** Reasons for which a scheme without a slot goes on waiting for one. */
    private static final Set<FenceReason> WAITING =
            EnumSet.of(FenceReason.NO_FREE_SLOT, FenceReason.COOLING, FenceReason.UNREACHABLE, FenceReason.STARTING);

    /** Reasons for which a replica serves nothing when it is drained, or saved, starts again after that, or stops. */
    private static final Set<FenceReason> EXPECTED = EnumSet.of(
            FenceReason.DRAINED,
            FenceReason.CHECKPOINT,
            FenceReason.STARTING,
            FenceReason.RELEASED,
            FenceReason.CLOSED);

    static final String LEAVING = "this replica is about to be drained by its operator, and serves until then";

    private final IdSource source;
    private final List<Scheme<?>> leased;
    private final TransitionLog changes;

    /** For each scheme that has served or has met a full pool: whether it met a full pool before it served. */
    private final Map<String, Boolean> startedOnFullPool = new ConcurrentHashMap<>();

    Readiness(IdSource source, List<Scheme<?>> leased) {
        this(source, leased, Clock.system());
    }

    Readiness(IdSource source, List<Scheme<?>> leased, Clock clock) {
        this.source = source;
        this.leased = leased;
        this.changes = new TransitionLog(LoggerFactory.getLogger(Readiness.class), "ready", false, clock);
    }

    @Override
    protected Result check() {
        Result found = evaluate();
        changes.log(found, isExpected() ? Level.INFO : Level.WARN);
        return found;
    }

    /**
     * Whether all schemes that do not serve are fenced for an expected reason: the replica is drained, starts or stops.
     */
    private boolean isExpected() {
        return source.leaving()
                || source.schemes().stream()
                        .flatMap(scheme -> source.status(scheme).lacking().stream())
                        .map(FencedException::reason)
                        .allMatch(EXPECTED::contains);
    }

    private Result evaluate() {
        if (source.leaving()) {
            return Result.unhealthy(LEAVING);
        }
        Optional<FencedException> drained = drained();
        if (drained.isPresent()) {
            return Result.unhealthy(drained.get().getMessage());
        }
        List<SchemeStatus> statuses = leased.stream().map(source::status).toList();
        statuses.stream().filter(SchemeStatus::active).forEach(status -> startedOnFullPool.put(status.scheme(), false));
        statuses.stream()
                .filter(status -> lacks(status, FenceReason.NO_FREE_SLOT::equals))
                .forEach(status -> startedOnFullPool.putIfAbsent(status.scheme(), true));
        String fenced = lacking(statuses);
        if (!leased.isEmpty() && statuses.stream().noneMatch(SchemeStatus::active)) {
            return Result.unhealthy((fenced.isEmpty() ? "no scheme has a slot" : fenced) + servedWithoutSlots());
        }
        return fenced.isEmpty() ? healthy() : Result.unhealthy(fenced);
    }

    /** Names the schemes that still serve because they need no slot. */
    private String servedWithoutSlots() {
        String names = source.schemes().stream()
                .filter(scheme ->
                        scheme.pool().isEmpty() && source.status(scheme).active())
                .map(Scheme::name)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "; only " + names + " is served";
    }

    /**
     * A pass. While ZooKeeper does not answer, the replica is ready as long as its reserved ticks last, and the message
     * says how long that is.
     */
    private Result healthy() {
        return source.outage()
                .map(outage -> Result.healthy("ZooKeeper is " + outage.inWords()))
                .orElseGet(Result::healthy);
    }

    /**
     * The fence of a drain, which concerns the whole replica, also its schemes without leases; empty when the replica
     * is not drained.
     */
    private Optional<FencedException> drained() {
        return source.schemes().stream()
                .flatMap(scheme -> source.status(scheme).fenced().stream())
                .filter(why -> why.reason() == FenceReason.DRAINED)
                .findFirst();
    }

    private boolean blocksReadiness(SchemeStatus status) {
        return lacks(status, why -> !startedOnFullPool.getOrDefault(status.scheme(), false) || !WAITING.contains(why));
    }

    private static boolean lacks(SchemeStatus status, Predicate<FenceReason> because) {
        return status.lacking().map(FencedException::reason).filter(because).isPresent();
    }

    /** Says what schemes lack whose lack blocks readiness. Names schemes that lack the same together. */
    private String lacking(List<SchemeStatus> statuses) {
        Map<String, String> schemes = statuses.stream()
                .filter(this::blocksReadiness)
                .collect(Collectors.groupingBy(
                        Readiness::lacking,
                        LinkedHashMap::new,
                        Collectors.mapping(SchemeStatus::scheme, Collectors.joining(", "))));
        return schemes.entrySet().stream()
                .map(lack -> lack.getValue() + ": " + lack.getKey())
                .collect(Collectors.joining("; "));
    }

    private static String lacking(SchemeStatus status) {
        String why = status.lacking().map(FencedException::getMessage).orElse("");
        String count = status.slots()
                .filter(slots -> slots.leases() > 1)
                .map(slots -> slots.serving() + " of " + slots.leases() + " slots serve: ")
                .orElse("");
        return count + why;
    }
}
