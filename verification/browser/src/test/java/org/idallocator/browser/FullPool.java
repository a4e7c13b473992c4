package org.idallocator.browser;

import static org.idallocator.core.testing.HangGuard.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.idallocator.core.clock.Clock;
import org.idallocator.core.scheme.Scheme;
import org.idallocator.core.scheme.Schemes;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.core.testing.HangGuard;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * Three replicas in trouble, with two schemes, on a root of their own of the ZooKeeper of {@link Fleet}. The pool of
 * sno is too small: some slots are retired, two replicas hold all others, and the third finds none. The clock of the
 * second is ahead. Callers go on to draw from the third.
 */
final class FullPool implements AutoCloseable {
    static final List<Integer> RETIRED = List.of(3, 9, 14);
    static final int HELD_BY_FIRST = 7;
    static final int HELD_BY_SECOND = 6;
    static final String SECOND = "ids-2";

    /** Less than the allowed 2 s, so that the second replica serves. */
    private static final Duration AHEAD = Duration.ofMillis(1_300);

    private static final SnoScheme SNO = new SnoScheme(0, HELD_BY_FIRST + HELD_BY_SECOND + RETIRED.size(), 1);
    private static final String ROOT = "/full-pool";
    private static final String SETTINGS = """
            zookeeper: {connect: '%s', root: %s}
            tellWhereabouts: true
            schemes:
              sno: {partitions: %d, shards: 1, leases: %d}
              muid: {}
            """;

    private static final Map<String, Integer> PER_SECOND = Map.of("sno", 10, "muid", 4_000);

    private final ReplicaProcess first;
    private final IdAllocator second;
    private final ReplicaProcess third;
    private final Load load;

    private FullPool(ReplicaProcess first, IdAllocator second, ReplicaProcess third) {
        this.first = first;
        this.second = second;
        this.third = third;
        this.load = Load.start(List.of(third), PER_SECOND);
    }

    /** The machine's clock, put ahead. */
    private static final class ClockAhead implements Clock {
        @Override
        public long micros() {
            return Clock.system().micros() + TimeUnit.MILLISECONDS.toMicros(AHEAD.toMillis());
        }

        @Override
        public long nanos() {
            return Clock.system().nanos();
        }

        @Override
        public void park(long nanos) {
            Clock.system().park(nanos);
        }

        @Override
        public void unpark(Thread thread) {
            Clock.system().unpark(thread);
        }
    }

    /** Starts the replicas one after the other, so that the third comes last. */
    static FullPool start() {
        List<Scheme<?>> schemes = List.of(SNO, Schemes.named("muid", Schemes.all()));
        AllocatorSettings settings = AllocatorSettings.of(
                        schemes, ZooKeeperSettings.of(Fleet.zooKeeper()).withRoot(ROOT))
                .withLeases(Map.of(SnoScheme.NAME, HELD_BY_SECOND))
                .withReplica(Replica.named(SECOND, ""));
        FirstStart.withoutWaiting(settings);
        try (ClusterView cluster = ClusterView.connect(settings)) {
            RETIRED.forEach(slot -> cluster.retire(SNO, slot));
        }
        ReplicaProcess first = startProcess("ids-1", HELD_BY_FIRST).awaitReady();
        IdAllocator second = IdAllocator.connect(settings, new ClockAhead());
        assertDoesNotThrow(() -> second.awaitReady(HangGuard.TIME));
        ReplicaProcess third = startProcess("ids-3", 1);
        await(third + " serves muid").until(() -> third.status("/health-check?name=muid") == 200);
        return new FullPool(first, second, third);
    }

    private static ReplicaProcess startProcess(String name, int leases) {
        String settings = SETTINGS.formatted(
                Fleet.zooKeeper(), ROOT, SNO.pool().orElseThrow().size(), leases);
        return Fleet.start("full-pool", name, settings);
    }

    /** The replica that finds no slot. */
    ReplicaProcess third() {
        return third;
    }

    @Override
    public void close() {
        load.close();
        third.close();
        second.close();
        first.close();
    }
}
