package org.idallocator.browser;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.idallocator.core.scheme.SnoScheme;
import org.idallocator.zk.IdAllocator;
import org.idallocator.zk.operator.ClusterView;
import org.idallocator.zk.operator.FirstStart;
import org.idallocator.zk.settings.AllocatorSettings;
import org.idallocator.zk.settings.Replica;
import org.idallocator.zk.settings.ZooKeeperSettings;
import org.idallocator.zk.testing.ReplicaProcess;

/**
 * A pool of 1,024 slots with slots in every state, on a root of its own of the ZooKeeper of {@link Fleet}. One replica
 * has a console; those that hold the other slots run in this JVM.
 */
final class LargePool implements AutoCloseable {
    static final int HELD_HERE = 6;
    static final List<Integer> RETIRED = List.of(0, 7, 500, 1_023);
    static final List<Integer> COOLING = List.of(9, 700);

    private static final SnoScheme SNO = new SnoScheme(0, 256, 4);
    static final long SLOTS = SNO.pool().orElseThrow().size();

    private static final int OTHERS = 2;
    private static final int EACH = 48;
    static final int HELD_BY_OTHERS = OTHERS * EACH;

    private static final String ROOT = "/large-pool";
    private static final String SETTINGS = """
            zookeeper: {connect: '%s', root: %s}
            tellWhereabouts: true
            schemes:
              sno: {leases: %d}
            """;

    private final Instant coolUntil;
    private final List<IdAllocator> others;
    private final ReplicaProcess replica;

    private LargePool(Instant coolUntil, List<IdAllocator> others, ReplicaProcess replica) {
        this.coolUntil = coolUntil;
        this.others = others;
        this.replica = replica;
    }

    static LargePool start() {
        String connect = Fleet.zooKeeper();
        AllocatorSettings settings = AllocatorSettings.of(
                        List.of(SNO), ZooKeeperSettings.of(connect).withRoot(ROOT))
                .withLeases(Map.of(SnoScheme.NAME, EACH));
        FirstStart.withoutWaiting(settings);
        ReplicaProcess replica = Fleet.start("ids-3", SETTINGS.formatted(connect, ROOT, HELD_HERE));
        Instant coolUntil = takeOut(settings);
        List<IdAllocator> others = IntStream.range(0, OTHERS)
                .mapToObj(i -> IdAllocator.connect(settings.withReplica(Replica.named("other-" + i, ""))))
                .toList();
        return new LargePool(coolUntil, others, replica.awaitReady());
    }

    /** Retires slots, and puts some back as used elsewhere until later. Returns when these are free. */
    private static Instant takeOut(AllocatorSettings settings) {
        Instant used = Instant.now().plus(30, ChronoUnit.MINUTES);
        try (ClusterView cluster = ClusterView.connect(settings)) {
            Stream.concat(RETIRED.stream(), COOLING.stream()).forEach(slot -> cluster.retire(SNO, slot));
            return COOLING.stream()
                    .map(slot -> cluster.unretire(SNO, slot, used))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    static String name(int slot) {
        return SNO.pool().orElseThrow().nameOf(slot);
    }

    /** The replica that has a console, and holds some of the slots. */
    ReplicaProcess replica() {
        return replica;
    }

    /** When the slots that cool are free. */
    Instant coolUntil() {
        return coolUntil;
    }

    @Override
    public void close() {
        replica.close();
        others.forEach(IdAllocator::close);
    }
}
